package io.callboard.bench;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Progress messages of a row, on standard error; the table follows on standard output. */
final class Progress {
  private static final long STARTED = System.nanoTime();

  private Progress() {}

  static void say(String what) {
    System.err.printf("%6.1f s  %s%n", (System.nanoTime() - STARTED) / 1e9, what);
  }

  static void say(String contender, int round, double[] figures) {
    String values =
        Arrays.stream(figures).mapToObj(Report::number).collect(Collectors.joining(" "));
    say("%-9s %-46s %s".formatted(round < 0 ? "warm-up" : "run " + (round + 1), contender, values));
  }
}
