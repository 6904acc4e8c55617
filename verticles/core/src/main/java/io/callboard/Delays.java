package io.callboard;

import io.callboard.codecs.ActorPath;
import java.time.Duration;

/** What an actor may wait for. What is longer than {@link Time#LONGEST} is cut to that. */
final class Delays {
  /** The least that lies between two times of a periodic timer. */
  static final Duration SHORTEST_PERIOD = Duration.ofMillis(1);

  private Delays() {}

  static Duration timer(ActorPath actor, String key, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException(
          "timer \"%s\" of %s must wait for no time or more, not %s".formatted(key, actor, delay));
    }
    return Time.atMostLongest(delay);
  }

  static Duration period(ActorPath actor, String key, Duration every) {
    if (every.compareTo(SHORTEST_PERIOD) < 0) {
      throw new IllegalArgumentException(
          "periodic timer \"%s\" of %s must have a period of at least %d ms, not %s"
              .formatted(key, actor, SHORTEST_PERIOD.toMillis(), every));
    }
    return Time.atMostLongest(every);
  }

  static Duration idle(ActorPath actor, Duration idle) {
    if (idle.isNegative() || idle.isZero()) {
      throw new IllegalArgumentException(
          "the receive timeout of %s must be positive, not %s: cancelReceiveTimeout() ends it"
              .formatted(actor, idle));
    }
    return Time.atMostLongest(idle);
  }
}
