package io.callboard.examples.search;

import java.util.List;

/**
 * Which trees answer.
 *
 * @param serving the one that is asked first; empty if none is up
 */
record Trees(String serving, List<String> up) {
  static final Trees NONE = new Trees("", List.of());

  /** The tree to ask after {@code last}: another one if there is. */
  String after(String last) {
    return up.stream().filter(tree -> !tree.equals(last)).findFirst().orElse(serving);
  }

  boolean isUp(String tree) {
    return up.contains(tree);
  }
}
