package io.callboard.testkit.internal.world;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;

/**
 * World that shows a flaw which a rehearsal must catch: the first one that does. A flaw may show in
 * one world of thousands, and they need not all be played to see that it is caught.
 *
 * @param seed the seed of the world
 * @param rule the rule that breaks in it: what the failure's first line begins with, a regular
 *     expression
 */
public record Witness(long seed, String rule) {
  /** Worlds after the witness that may stand in for it. */
  private static final int OTHERS = 4;

  private static final String SEARCH = "-Dtest='<this class>#eachWitnessIsTheFirst*' -Pnightly";

  /** Asserts that the flaw is caught in this world, or in one of a few that follow. */
  public void isCaught(LongConsumer flawed) {
    List<String> instead = new ArrayList<>();
    if (first(seed, seed + 1 + OTHERS, flawed, instead) < 0) {
      throw new AssertionError(
          "no world from %d to %d breaks rule %s; instead: %s%nIf others do now, mvn %s test names them"
              .formatted(seed, seed + OTHERS, rule, instead, SEARCH));
    }
  }

  /** Asserts that no earlier world shows the flaw; says which one is the first if it is another. */
  public void isFirst(long most, LongConsumer flawed) {
    List<String> instead = new ArrayList<>();
    long first = first(0, most, flawed, instead);
    if (first != seed) {
      throw new AssertionError(
          first < 0
              ? "none of %d worlds breaks rule %s; instead: %s".formatted(most, rule, instead)
              : "the witness is %d now, not %d".formatted(first, seed));
    }
  }

  /** Returns the first world that shows the flaw, -1 if none does. */
  private long first(long from, long to, LongConsumer flawed, List<String> instead) {
    for (long world = from; world < to; world++) {
      try {
        flawed.accept(world);
      } catch (AssertionError e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        if (Pattern.compile(rule).matcher(line).lookingAt()) {
          return world;
        }
        instead.add(line);
      }
    }
    return -1;
  }
}
