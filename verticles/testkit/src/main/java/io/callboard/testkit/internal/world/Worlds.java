package io.callboard.testkit.internal.world;

import io.callboard.testkit.rehearsal.Rehearsal;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Worlds that a test plays, each from its seed: a build plays some of them, and the next build
 * others, so that in time many are played.
 */
public final class Worlds {
  /** System property with the number of a build, default 0. */
  public static final String BUILD = "tests.seed";

  /** System property with the number of worlds where a test plays many. */
  public static final String MANY = "callboard.rehearsal.worlds";

  private Worlds() {}

  /**
   * Plays the worlds of this build, or the only one that {@link Rehearsal#PROPERTY} names.
   *
   * @return the number of worlds
   * @throws AssertionError if a world fails; names its seed
   */
  public static int play(int count, LongConsumer world) {
    return play(count, count, () -> true, world);
  }

  /**
   * Plays the worlds of this build as {@link #play(int, LongConsumer)} does, and the next ones
   * until all has been seen that rarely happens.
   *
   * @param most the number of worlds in which all must have been seen
   */
  public static int play(int count, int most, BooleanSupplier allSeen, LongConsumer world) {
    Long only = Long.getLong(Rehearsal.PROPERTY);
    if (only != null) {
      return play(only, 1, 1, () -> true, world);
    }
    return play(Long.getLong(BUILD, 0) * count, count, most, allSeen, world);
  }

  /**
   * Plays many worlds, from that on which {@link Rehearsal#PROPERTY} names; {@value #MANY} says how
   * many.
   */
  public static int playMany(int count, LongConsumer world) {
    int many = Integer.getInteger(MANY, count);
    return play(Long.getLong(Rehearsal.PROPERTY, 0), many, many, () -> true, world);
  }

  private static int play(
      long from, int count, int most, BooleanSupplier allSeen, LongConsumer world) {
    int played = 0;
    while (played < count || (played < most && !allSeen.getAsBoolean())) {
      long seed = from + played++;
      try {
        world.accept(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed %d (-D%s=%d plays it alone): %s"
                .formatted(seed, Rehearsal.PROPERTY, seed, e.getMessage()),
            e);
      }
    }
    return played;
  }
}
