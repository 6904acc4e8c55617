package io.callboard.pollers.internal.poll;

import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * State of the connection to the source: opened, closed after a failure, opened again. It is
 * failing from the first failure until polls succeed: one does not say so if what the failed one
 * had taken is still to come again.
 */
@Machine
final class SourceLink {
  /** State of the connection. */
  enum Phase {
    /** State of a client that has not begun, or whose pause goes on. */
    CLOSED,
    /** The source is being opened. */
    OPENING,
    /** State of a client that is open. */
    OPEN,
    /** State of a client that is being closed. */
    CLOSING
  }

  /** Longest time for which polls must succeed after one that failed. */
  static final Duration LONGEST_TRIAL = Duration.ofMinutes(1);

  private final ExponentialBackoff pauses;
  private final RandomGenerator random;
  private Phase phase = Phase.CLOSED;
  private long life;
  private int failures;
  private @Nullable Instant openAt;
  private Duration after = Duration.ZERO;
  private @Nullable Instant failedAt;
  private String cause = "";

  SourceLink(ExponentialBackoff pauses, RandomGenerator random) {
    this.pauses = pauses;
    this.random = random;
  }

  Phase phase() {
    return phase;
  }

  long life() {
    return life;
  }

  boolean isOpen() {
    return phase == Phase.OPEN;
  }

  /** Returns why the source is failing; empty if it is not. */
  String cause() {
    return cause;
  }

  /** Returns when the source is opened again; null unless it is closed after a failure. */
  @Nullable Instant openAt() {
    return phase == Phase.CLOSED ? openAt : null;
  }

  /**
   * Begins to open if the source is closed and its pause is over.
   *
   * @return whether it is being opened now
   */
  boolean opens(Instant now) {
    if (phase != Phase.CLOSED || (openAt != null && openAt.isAfter(now))) {
      return false;
    }
    phase = Phase.OPENING;
    life++;
    return true;
  }

  boolean opened(long itsLife) {
    if (phase != Phase.OPENING || itsLife != life) {
      return false;
    }
    phase = Phase.OPEN;
    return true;
  }

  boolean isFailing() {
    return !cause.isEmpty();
  }

  /**
   * Begins to close, unless the source is closed or being closed.
   *
   * @param least time after which it is opened again, at least
   * @return whether it is being closed now
   */
  boolean closes(String why, Duration least, Instant now) {
    if (phase == Phase.CLOSED || phase == Phase.CLOSING) {
      return false;
    }
    failedAt = phase == Phase.OPEN ? now : null; // what cannot be opened has taken nothing
    phase = Phase.CLOSING;
    cause = why;
    after = least;
    return true;
  }

  void closed(long itsLife, Instant now) {
    if (phase == Phase.CLOSING && itsLife == life) {
      phase = Phase.CLOSED;
      failures++;
      Duration pause = pauses.delay(failures, random);
      openAt = now.plus(pause.compareTo(after) > 0 ? pause : after);
    }
  }

  /**
   * A poll succeeded: the next pause is short again.
   *
   * @param lease time after which the source delivers again what a failed poll had taken; null for
   *     at once
   */
  void works(@Nullable Duration lease, Instant now) {
    failures = 0;
    if (failedAt == null || lease == null || !failedAt.plus(trial(lease)).isAfter(now)) {
      cause = "";
    }
  }

  private static Duration trial(Duration lease) {
    Duration trial = lease.multipliedBy(3).dividedBy(2);
    return trial.compareTo(LONGEST_TRIAL) < 0 ? trial : LONGEST_TRIAL;
  }
}
