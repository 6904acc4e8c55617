package io.callboard.pollers.internal.kafka;

import java.time.Duration;
import java.util.List;

/**
 * Topic in which failed records wait for their next delivery.
 *
 * <p>Its partitions are read in order, so a record with a long delay holds those behind it. So each
 * partition has delays of one size: none waits longer than about ten times its own.
 *
 * @param partitions its number of partitions; those without one of their own share the last
 */
record RetryTopic(String name, int partitions) {
  /** The longest delay of each partition but the last. */
  private static final List<Duration> SIZES =
      List.of(
          Duration.ZERO,
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1));

  /** Number of partitions that it is made with. */
  static final int PARTITIONS = SIZES.size() + 1;

  /** Returns the partition for a delay. */
  int partition(Duration delay) {
    int size = 0;
    while (size < SIZES.size() && delay.compareTo(SIZES.get(size)) > 0) {
      size++;
    }
    return Math.min(size, partitions - 1);
  }
}
