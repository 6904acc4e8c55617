package io.callboard.dashboard.internal.model;

import java.util.List;
import java.util.stream.Collectors;

/** Words for the reason why a list of jobs, or of instances of workflows, may be incomplete. */
public final class Partial {
  /** Maximum number of nodes that are named. */
  private static final int MOST_NAMED = 10;

  private Partial() {}

  /**
   * Returns why a list may be incomplete.
   *
   * @param nodes nodes that were asked and do not answer
   */
  public static String why(List<String> nodes) {
    return nodes.isEmpty()
        ? "the archive's database does not answer, or a node still reads what it has"
        : noAnswer(nodes);
  }

  /**
   * Returns why numbers may be too low, which do not include the archive.
   *
   * @param nodes nodes that were asked and do not answer
   */
  public static String ofCounts(List<String> nodes) {
    return nodes.isEmpty() ? "a node still reads what it has" : noAnswer(nodes);
  }

  private static String noAnswer(List<String> nodes) {
    String first = nodes.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
    int more = nodes.size() - MOST_NAMED;
    return "no answer from " + (more > 0 ? "%s and %d more".formatted(first, more) : first);
  }
}
