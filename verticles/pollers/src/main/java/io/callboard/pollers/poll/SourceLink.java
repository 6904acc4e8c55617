package io.callboard.pollers.poll;

import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** State of the connection to the source: opened, closed after a failure, opened again. */
@Machine
final class SourceLink {
  /** State of it. */
  enum Phase {
    /** It has not begun, or its pause goes on. */
    CLOSED,
    /** The source is being opened. */
    OPENING,
    /** It is open. */
    OPEN,
    /** It is being closed. */
    CLOSING
  }

  private final ExponentialBackoff pauses;
  private final RandomGenerator random;
  private Phase phase = Phase.CLOSED;
  private long life;
  private int failures;
  private @Nullable Instant openAt;
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

  /** Returns why it was closed last. */
  String cause() {
    return cause;
  }

  /** Returns when it is opened; null unless it is closed after a failure. */
  @Nullable Instant openAt() {
    return phase == Phase.CLOSED ? openAt : null;
  }

  /** Begins to open if it is closed and its pause is over; returns whether it does. */
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

  /** Begins to close; returns whether it does. */
  boolean closes(String why) {
    if (phase == Phase.CLOSED || phase == Phase.CLOSING) {
      return false;
    }
    phase = Phase.CLOSING;
    cause = why;
    return true;
  }

  void closed(long itsLife, Instant now) {
    if (phase == Phase.CLOSING && itsLife == life) {
      phase = Phase.CLOSED;
      failures++;
      openAt = now.plus(pauses.delay(failures, random));
    }
  }

  /** It works: the next pause is short again. */
  void works() {
    failures = 0;
    cause = "";
  }
}
