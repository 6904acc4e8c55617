package io.callboard.pollers.internal.rabbitmq;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Queue in which failed messages wait until the server puts them back for their next delivery.
 *
 * <p>Messages expire at the head of a queue only, so one with a long delay holds those behind it.
 * So each queue has delays of one size: none waits longer than about ten times its own.
 */
record RetryQueue(String name, Duration delay) {
  /** Part of the names behind that of the queue. */
  static final String NAMED = ".callboard.retry.";

  /** No server before 4.0 knows a number for it. */
  private static final int NO_LIMIT = 1_000_000_000;

  /** The longest delay of each. */
  private static final List<Duration> SIZES =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          Duration.ofHours(1),
          Duration.ofDays(1));

  /** Returns the queue for a delay; one beyond a day is cut to a day. */
  static RetryQueue of(String queue, Duration asked) {
    Duration longest = SIZES.get(SIZES.size() - 1);
    Duration delay = asked.compareTo(longest) > 0 ? longest : asked;
    Duration size =
        SIZES.stream().filter(each -> delay.compareTo(each) <= 0).findFirst().orElse(longest);
    return new RetryQueue(queue + NAMED + size.toMillis(), delay);
  }

  /** Returns the arguments with which such queues are declared. */
  static Map<String, Object> arguments(RabbitmqSettings settings) {
    Map<String, Object> arguments = type(settings);
    arguments.put("x-dead-letter-exchange", "");
    arguments.put("x-dead-letter-routing-key", settings.queue());
    if (settings.quorum()) {
      arguments.put("x-dead-letter-strategy", "at-least-once");
      arguments.put("x-overflow", "reject-publish");
    }
    return arguments;
  }

  /**
   * Returns the arguments with which the queue of dead letters is declared: reading it drops
   * nothing.
   */
  static Map<String, Object> ofTheDead(RabbitmqSettings settings) {
    Map<String, Object> arguments = type(settings);
    if (settings.quorum()) {
      arguments.put("x-delivery-limit", NO_LIMIT);
    }
    return arguments;
  }

  private static Map<String, Object> type(RabbitmqSettings settings) {
    Map<String, Object> arguments = new HashMap<>();
    arguments.put("x-queue-type", settings.quorum() ? "quorum" : "classic");
    return arguments;
  }
}
