package io.callboard.jobs;

import java.time.Clock;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Generator of UUIDs of version 7 (RFC 9562): the first 48 bits are milliseconds, so they sort by
 * age.
 */
final class JobIds {
  private final Clock clock;
  private final RandomGenerator random;
  private long lastMillis;
  private int counter;

  JobIds(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /** Returns the next id; ids of one object are strictly increasing. */
  synchronized String next() {
    long millis = Math.max(clock.millis(), lastMillis);
    if (millis == lastMillis) {
      counter++;
      if (counter > 0xfff) {
        millis++;
        counter = 0;
      }
    } else {
      counter = random.nextInt(0x400);
    }
    lastMillis = millis;
    long high = (millis << 16) | 0x7000 | counter;
    long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }
}
