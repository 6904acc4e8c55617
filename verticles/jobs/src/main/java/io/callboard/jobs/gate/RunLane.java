package io.callboard.jobs.gate;

import io.callboard.jobs.protocol.WaitingRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * RunLane of waiting runs that need the same: whatever keeps the first of them from a run keeps all
 * others of it, too.
 *
 * @param type name of their type
 * @param priority their priority, without aging
 * @param limits labels with a limit that count them, sorted
 * @param requires labels that their host must have
 */
record RunLane(String type, int priority, List<String> limits, Map<String, String> requires) {

  /** Returns the lane of a waiting run. */
  static RunLane of(WaitingRun waiting, Set<String> limited) {
    return new RunLane(
        waiting.type(), waiting.priority(), limits(waiting.labels(), limited), waiting.requires());
  }

  /**
   * Returns the limits that count a job: of a label with its value, {@code key=value}, or of a
   * label with any value, {@code key}.
   */
  static List<String> limits(Map<String, String> labels, Set<String> limited) {
    if (limited.isEmpty() || labels.isEmpty()) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    labels.forEach(
        (key, value) -> {
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
