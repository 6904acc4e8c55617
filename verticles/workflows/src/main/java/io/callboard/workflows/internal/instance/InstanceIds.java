package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Ids of instances: UUIDs of version 7 (RFC 9562), which sort by age to the millisecond. Their
 * actors have them in their paths.
 */
@Machine
public final class InstanceIds {
  /** Path prefix of the actors of instances. */
  public static final String PREFIX = "/workflows/i";

  private InstanceIds() {}

  /** Returns the path of the actor of an instance. */
  public static String path(String id) {
    return PREFIX + "/" + id;
  }

  /** Returns a new id. */
  public static String next(Instant now, RandomGenerator random) {
    long high = (now.toEpochMilli() << 16) | 0x7000 | random.nextInt(0x1000);
    long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }
}
