package io.callboard.workflows.internal.instance;

import java.util.List;

/** Text that names a few things of a list, and says how many more there are. */
final class FirstNames {
  private static final int MOST = 5;

  private FirstNames() {}

  /** Returns the first names, and the number of the others. */
  static String of(List<String> names) {
    String more = names.size() > MOST ? " and %,d more".formatted(names.size() - MOST) : "";
    return String.join(", ", names.subList(0, Math.min(names.size(), MOST))) + more;
  }
}
