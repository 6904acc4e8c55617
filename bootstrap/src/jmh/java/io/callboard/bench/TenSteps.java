package io.callboard.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * The workflow of {@link WorkflowThroughput}: ten steps that do nothing. Three in a row, a fork of
 * three, and from their join four in a row. Each contender gets it from here.
 */
final class TenSteps {
  static final int COUNT = 10;

  /** Step that waits for several. */
  static final int JOIN = 6;

  private static final String PREFIX = "step-";

  private static final List<List<Integer>> SOURCES =
      List.of(
          List.of(),
          List.of(0),
          List.of(1),
          List.of(2),
          List.of(2),
          List.of(2),
          List.of(3, 4, 5),
          List.of(JOIN),
          List.of(7),
          List.of(8));

  private static final List<List<Integer>> TARGETS = targets();

  private TenSteps() {}

  private static List<List<Integer>> targets() {
    List<List<Integer>> targets = new ArrayList<>();
    for (int step = 0; step < COUNT; step++) {
      int source = step;
      List<Integer> its = new ArrayList<>();
      for (int target = 0; target < COUNT; target++) {
        if (SOURCES.get(target).contains(source)) {
          its.add(target);
        }
      }
      targets.add(List.copyOf(its));
    }
    return List.copyOf(targets);
  }

  /** Returns the steps that a step waits for. */
  static List<Integer> sources(int step) {
    return SOURCES.get(step);
  }

  /** Returns the steps that wait for a step. */
  static List<Integer> targets(int step) {
    return TARGETS.get(step);
  }

  /** Returns the id of a step. */
  static String id(int step) {
    return PREFIX + step;
  }

  /** Returns the step of an id. */
  static int number(String id) {
    return Integer.parseInt(id.substring(PREFIX.length()));
  }
}
