package io.callboard.jobs.internal.gate;

import io.callboard.codecs.internal.text.Digest;
import io.callboard.jobs.internal.protocol.WaitingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Lane of waiting runs with equal requirements: if the first cannot start, none can.
 *
 * @param type name of their type
 * @param priority their priority, without aging
 * @param limits what counts them: labels with a limit, and their requirement in one word, if there
 *     is any; sorted
 * @param requires labels that their host must have
 */
record RunLane(String type, int priority, List<String> limits, Map<String, String> requires) {
  /** First character of the word of a requirement, with which no label with a limit begins. */
  private static final String SIGN = "@";

  /** Length of a requirement from which on its word has a digest of it. */
  private static final int MOST_TEXT = 100;

  /** Returns the lane of a waiting run. */
  static RunLane of(WaitingRun waiting, Set<String> limited) {
    List<String> limits = limits(waiting.labels(), limited);
    return new RunLane(
        waiting.type(),
        waiting.priority(),
        waiting.requires().isEmpty() ? limits : with(limits, word(waiting.requires())),
        waiting.requires());
  }

  /** Returns the labels with a limit that count the lane's runs, sorted. */
  List<String> labels() {
    return limits.stream().filter(name -> !isRequirement(name)).toList();
  }

  /** Returns the requirement of a run as one word, from the labels that its host must have. */
  static String word(Map<String, String> requires) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(requires)
        .forEach(
            (key, value) -> {
              append(text, key);
              append(text, value);
            });
    return SIGN + (text.length() <= MOST_TEXT ? text : Digest.of(text.toString()));
  }

  /** Appends a part with its length, so that no other parts make the same text. */
  private static void append(StringBuilder text, String part) {
    text.append(part.length()).append(':').append(part);
  }

  /**
   * Returns whether a name among the limits of a lane is a requirement; otherwise it is a label.
   */
  static boolean isRequirement(String name) {
    return name.startsWith(SIGN);
  }

  /** Returns the named limits that count a run: labels, and the requirement in one word. */
  static List<String> limits(WaitingRun run, Set<String> named) {
    List<String> labels = limits(run.labels(), named);
    if (named.isEmpty() || run.requires().isEmpty()) {
      return labels;
    }
    String word = word(run.requires());
    return named.contains(word) ? with(labels, word) : labels;
  }

  private static List<String> with(List<String> labels, String word) {
    List<String> all = new ArrayList<>(labels);
    all.add(word);
    all.sort(null);
    return all;
  }

  /**
   * Returns the limits that count a job: of a label with its value, {@code key=value}, or of a
   * label with any value, {@code key}. A label that looks like a requirement is counted by none.
   */
  static List<String> limits(Map<String, String> labels, Set<String> limited) {
    if (limited.isEmpty() || labels.isEmpty()) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    labels.forEach(
        (key, value) -> {
          if (isRequirement(key)) {
            return;
          }
          if (limited.contains(key)) {
            all.add(key);
          }
          if (limited.contains(key + '=' + value)) {
            all.add(key + '=' + value);
          }
        });
    all.sort(null);
    return all;
  }
}
