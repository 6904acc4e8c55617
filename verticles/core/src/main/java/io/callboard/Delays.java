package io.callboard;

import io.callboard.codecs.ActorPath;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the times that an actor gives for its timers and its receive timeout; longer ones than
 * {@link Time#LONGEST} are cut to that.
 */
final class Delays {
  /** The least that lies between two times of a periodic timer. */
  static final Duration SHORTEST_PERIOD = Duration.ofMillis(1);

  private Delays() {}

  static void requireKey(ActorPath actor, @Nullable String key) {
    Objects.requireNonNull(
        key, () -> "the key of a timer of %s is null: give it a name".formatted(actor));
  }

  private static String noTime(String what, ActorPath actor) {
    return "the time of the %s of %s is null: give a duration".formatted(what, actor);
  }

  static Duration timer(ActorPath actor, String key, Duration delay) {
    requireKey(actor, key);
    Objects.requireNonNull(delay, () -> noTime("timer \"%s\"".formatted(key), actor));
    if (delay.isNegative()) {
      throw new IllegalArgumentException(
          "the delay of timer \"%s\" of %s must not be negative, but is %s"
              .formatted(key, actor, delay));
    }
    return Time.atMostLongest(delay);
  }

  static Duration period(ActorPath actor, String key, Duration every) {
    requireKey(actor, key);
    Objects.requireNonNull(every, () -> noTime("periodic timer \"%s\"".formatted(key), actor));
    if (every.compareTo(SHORTEST_PERIOD) < 0) {
      throw new IllegalArgumentException(
          "periodic timer \"%s\" of %s must have a period of at least %d ms, not %s"
              .formatted(key, actor, SHORTEST_PERIOD.toMillis(), every));
    }
    return Time.atMostLongest(every);
  }

  static Duration idle(ActorPath actor, Duration idle) {
    Objects.requireNonNull(idle, () -> noTime("receive timeout", actor));
    if (idle.isNegative() || idle.isZero()) {
      throw new IllegalArgumentException(
          "the receive timeout of %s must be positive, not %s: cancelReceiveTimeout() ends it"
              .formatted(actor, idle));
    }
    return Time.atMostLongest(idle);
  }
}
