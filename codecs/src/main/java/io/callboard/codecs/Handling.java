package io.callboard.codecs;

/**
 * Handling of a message: its lane, its deadline and the durable timer that it comes from.
 *
 * @param lane of the receiver's mailbox: 0 is the normal one, those above come first
 * @param deadlineMs since the epoch: from then on the message is no longer handled; 0 if there is
 *     no deadline
 * @param timer the number of the receiver's durable timer that it is the message of; 0 if of none
 */
public record Handling(int lane, long deadlineMs, long timer) {
  /** Lanes of a mailbox. */
  public static final int LANES = 3;

  /** Handling of an ordinary message: normal lane, no deadline, no timer. */
  public static final Handling PLAIN = new Handling(0, 0, 0);

  /**
   * Creates a handling.
   *
   * @throws IllegalArgumentException if the lane is not one of the lanes, or the deadline or the
   *     timer is negative
   */
  public Handling {
    if (lane < 0 || lane >= LANES || deadlineMs < 0 || timer < 0) {
      throw new IllegalArgumentException(
          "a message cannot have lane %d, deadline %d and timer %d"
              .formatted(lane, deadlineMs, timer));
    }
  }

  /** Returns the handling that the fields of a stored message hold. */
  static Handling of(String what, long lane, long deadlineMs, long timer) {
    if (lane == 0 && deadlineMs == 0 && timer == 0) {
      return PLAIN;
    } else if (lane < 0 || lane >= LANES || deadlineMs < 0 || timer < 0) {
      throw CodecException.malformed(
          what, "it holds a message with lane %d and deadline %d".formatted(lane, deadlineMs));
    }
    return new Handling((int) lane, deadlineMs, timer);
  }

  /** Returns whether the deadline has passed; false if there is none. */
  public boolean isOverdue(long nowMs) {
    return deadlineMs > 0 && nowMs >= deadlineMs;
  }
}
