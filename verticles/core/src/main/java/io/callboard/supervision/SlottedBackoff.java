package io.callboard.supervision;

import io.callboard.time.Machine;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Slotted truncated exponential backoff: a wait is slot time × (2ʳ − 1) with r uniform in 0..slot,
 * where slot is 1 for the first retry and grows by one with each, up to the ceiling. So a wait is 0
 * with probability 1 / (slot + 1), and there are slot + 1 different ones.
 *
 * <p>At the ceiling it either stays there, or it resets: with {@code stayAtCeiling} every further r
 * is of 0..ceiling; without, the retry whose turn is the ceiling's waits nothing, counts as a reset
 * and not as a retry, and the next begins again with slot 1. The last slot used then is ceiling −
 * 1.
 *
 * <p>These are the rules and counts of {@code pattern.backoff.ExponentialBackOff} of Raymond
 * Roestenburg (github.com/RayRoestenburg/patterns, in its last form), where the exponent is drawn.
 * In the truncated binary exponential backoff of Ethernet (IEEE 802.3, after ALOHA) the number of
 * slots itself is drawn, uniform in 0..2ᶜ − 1: same bound, but waits that are longer on average.
 *
 * @param slotTime more than zero
 * @param ceiling at least 1, or 2 if it does not stay there (with 1 it would never wait); such that
 *     the bound, slot time × (2^ceiling − 1), is {@link Time#LONGEST} at most
 */
@Machine
public record SlottedBackoff(Duration slotTime, int ceiling, boolean stayAtCeiling)
    implements Backoff {
  /**
   * Creates a backoff.
   *
   * @throws IllegalArgumentException if the slot time or the ceiling is outside its range; the
   *     message has the range
   */
  public SlottedBackoff {
    Objects.requireNonNull(slotTime, "slotTime is null: give a duration");
    int least = stayAtCeiling ? 1 : 2;
    Duration longest = Time.LONGEST.dividedBy((1L << least) - 1);
    if (slotTime.isNegative() || slotTime.isZero() || slotTime.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "slotted backoff needs 0 < slotTime <= %s, not %s".formatted(longest, slotTime));
    }
    int most = highestCeiling(slotTime);
    if (ceiling < least || ceiling > most) {
      throw new IllegalArgumentException(
          "slotted backoff with slotTime %s that %s needs a ceiling of %d to %d, not %d"
              .formatted(
                  slotTime,
                  stayAtCeiling ? "stays at its ceiling" : "resets at its ceiling",
                  least,
                  most,
                  ceiling));
    }
  }

  /** Returns the highest c with slot time × (2ᶜ − 1) at most the longest. */
  private static int highestCeiling(Duration slotTime) {
    long slots = Time.LONGEST.toNanos() / slotTime.toNanos();
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(slots + 1);
  }

  @Override
  public Retries begin() {
    return new Retries(this);
  }

  boolean resetsAfter(Retries last) {
    return !stayAtCeiling && slotAfter(last) == ceiling;
  }

  Duration waitAfter(Retries last, RandomGenerator random) {
    int exponent = random.nextInt(slotAfter(last) + 1);
    return slotTime.multipliedBy((1L << exponent) - 1);
  }

  private int slotAfter(Retries last) {
    return (int) Math.min(Retries.oneMore(last.retries()), ceiling);
  }
}
