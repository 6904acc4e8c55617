package io.callboard.jobs;

import java.time.Clock;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Generator of UUIDs of version 7 (RFC 9562): the first 48 bits are milliseconds, so they sort by
 * age.
 */
final class JobIds {
  /** Ids that are tried: enough for a node that owns one of ten partitions. */
  private static final int MOST_TRIES = 64;

  private final Clock clock;
  private final RandomGenerator random;
  private final Predicate<String> near;
  private long lastMillis;
  private int counter;

  /**
   * Creates a generator.
   *
   * @param near whether the actor of a job with that id would run on this node, which spares its
   *     submission the way through a mailbox
   */
  JobIds(Clock clock, RandomGenerator random, Predicate<String> near) {
    this.clock = clock;
    this.random = random;
    this.near = near;
  }

  /**
   * Returns the next id, of a job near this node if the node owns partitions; ids of one object are
   * strictly increasing.
   */
  synchronized String next() {
    long high = high();
    String id = id(high);
    for (int i = 1; i < MOST_TRIES && !near.test(id); i++) {
      id = id(high);
    }
    return id;
  }

  private long high() {
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
    return (millis << 16) | 0x7000 | counter;
  }

  private String id(long high) {
    long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }
}
