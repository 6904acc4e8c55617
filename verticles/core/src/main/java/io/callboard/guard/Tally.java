package io.callboard.guard;

import io.callboard.Kept;
import io.callboard.codecs.ActorPath;
import io.callboard.metrics.GuardStatus;
import io.callboard.metrics.GuardStatus.State;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of the messages of a guard. Its {@link #status} is read from any thread. */
final class Tally {
  private static final Logger log = LoggerFactory.getLogger(Tally.class);

  private final ActorPath path;
  private long acknowledged;
  private long fallback;
  private long givenUp;
  private long lapsed;
  private @Nullable Throwable failure;
  private @Nullable Instant openedAt;
  private volatile GuardStatus status = GuardStatus.NEW;

  /**
   * @param path of the guard
   */
  Tally(ActorPath path) {
    this.path = path;
  }

  GuardStatus status() {
    return status;
  }

  void acknowledged() {
    acknowledged++;
  }

  void fallback() {
    fallback++;
  }

  /** An attempt has failed. */
  void failure(Throwable cause) {
    failure = cause;
  }

  /** Counts one that is kept no longer, by how it has ended. */
  void ended(Kept<?> kept, boolean isGivenUp) {
    if (isGivenUp) {
      givenUp++;
    } else if (kept.lapsed()) {
      lapsed++;
    } else {
      acknowledged++;
    }
  }

  /** Tells how the circuit is now. */
  void publish(Circuit circuit, Clock clock) {
    boolean closed = circuit.state() == State.CLOSED;
    if (closed && openedAt != null) {
      log.info("{} passes messages on again", path);
      openedAt = null;
    } else if (!closed && openedAt == null) {
      log.warn("{} passes nothing on for a while: {}", path, String.valueOf(failure));
      openedAt = clock.instant();
    }
    status =
        new GuardStatus(
            circuit.state(),
            circuit.failures(),
            circuit.held(),
            circuit.underWay(),
            acknowledged,
            circuit.redelivered(),
            fallback,
            givenUp,
            lapsed,
            openedAt);
  }
}
