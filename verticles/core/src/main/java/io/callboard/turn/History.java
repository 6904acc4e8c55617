package io.callboard.turn;

import io.callboard.ActorStatus;
import io.callboard.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.metrics.MailboxStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How an actor has fared in this node; written by its runner, read by anybody. */
final class History {
  private final Clock clock;
  private volatile long handled;
  private volatile State state = State.STARTING;
  private volatile int restarts;
  private volatile long failures;
  private volatile @Nullable String lastFailure;
  private volatile @Nullable Instant lastFailureAt;
  private volatile @Nullable Instant nextAttempt;

  History(Clock clock) {
    this.clock = clock;
  }

  void is(State next) {
    state = next;
    nextAttempt = null;
  }

  State state() {
    return state;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer: the runner
  void handled(long count) {
    handled += count;
  }

  boolean hasFailed() {
    return failures > 0;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer: the runner
  void failed(Throwable cause) {
    failures++;
    lastFailure = cause.toString();
    lastFailureAt = clock.instant();
  }

  void waits(Duration delay) {
    state = State.WAITS;
    nextAttempt = clock.instant().plus(delay);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer: the runner
  void restarted() {
    restarts++;
    state = State.STARTING;
    nextAttempt = null;
  }

  ActorStatus status(
      ActorPath path,
      String node,
      String type,
      boolean durable,
      String zone,
      long queued,
      @Nullable MailboxStatus mailbox) {
    return new ActorStatus(
        path,
        node,
        type,
        durable,
        zone,
        state,
        queued,
        handled,
        failures,
        restarts,
        lastFailure,
        lastFailureAt,
        nextAttempt,
        mailbox);
  }
}
