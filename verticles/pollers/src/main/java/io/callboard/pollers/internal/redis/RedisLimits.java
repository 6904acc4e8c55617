package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.Settings;
import java.time.Duration;

/** Settings of both kinds of sources in Redis. */
final class RedisLimits {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final int MIB = 1 << 20;

  private RedisLimits() {}

  static Duration lease(Settings settings) {
    return settings.duration("lease", SHORTEST, LONGEST).orElse(Duration.ofSeconds(30));
  }

  static int maxBytes(Settings settings) {
    return settings.number("maxBytes", 1, 16 * MIB).orElse(MIB);
  }

  static int deadLimit(Settings settings) {
    return settings.number("deadLimit", 1, 10_000_000).orElse(100_000);
  }
}
