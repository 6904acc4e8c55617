package io.callboard.guard;

import io.callboard.HeldMessage;
import io.callboard.codecs.ActorPath;
import io.callboard.guard.GuardStatus.State;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Counters of the outcomes of a guard's messages. {@link #status} may be read from any thread. */
final class GuardCounts {
  private long acknowledged;
  private long fallback;
  private long givenUp;
  private long lapsed;
  private @Nullable Throwable failure;
  private final CircuitLines lines;
  private @Nullable Instant openedAt;
  private volatile GuardStatus status = GuardStatus.NEW;

  /**
   * Creates the counts of a guard.
   *
   * @param path of the guard
   */
  GuardCounts(ActorPath path) {
    this.lines = new CircuitLines(path);
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

  /** Returns the last failure; null if there was none. */
  @Nullable Throwable lastFailure() {
    return failure;
  }

  /** Counts one that is kept no longer, by how it has ended. */
  void ended(HeldMessage<?> heldMessage, boolean isGivenUp) {
    if (isGivenUp) {
      givenUp++;
    } else if (heldMessage.lapsed()) {
      lapsed++;
    } else {
      acknowledged++;
    }
  }

  /** Publishes how the circuit is now, and logs what has changed. */
  void publish(Circuit circuit, Clock clock, long nowNs) {
    boolean closed = circuit.state() == State.CLOSED;
    openedAt = closed ? null : openedAt == null ? clock.instant() : openedAt;
    lines.now(circuit.state(), circuit.failures(), failure, nowNs);
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
