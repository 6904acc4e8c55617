package io.callboard.jobs.gate;

import io.callboard.time.Machine;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Labels of the hosts, and whether one of those that take runs offers what a run requires. An
 * answer costs O(hosts) once, until they change.
 */
@Machine
final class HostLabels {
  /** Number of answers from which on earlier ones are forgotten: more than a window has lanes. */
  private static final int MOST = 2 * Window.MOST;

  private Map<String, Map<String, String>> labels = Map.of();

  /** Names of the hosts that take runs. */
  private List<String> takers = List.of();

  /** Whether there is a host that offers labels, by those. */
  private final Map<Map<String, String>, Boolean> offered = new HashMap<>();

  /** Sets the labels of the hosts that have any, by name. */
  void put(Map<String, Map<String, String>> now) {
    if (!labels.equals(now)) {
      labels = Map.copyOf(now);
      offered.clear();
    }
  }

  /** Sets the hosts that may be given runs; those without slots take none. */
  void take(Collection<HostView> hosts) {
    List<String> now = hosts.stream().filter(host -> host.slots() > 0).map(HostView::name).toList();
    if (!takers.equals(now)) {
      takers = now;
      offered.clear();
    }
  }

  /** Returns the labels of a host. */
  Map<String, String> of(String host) {
    return labels.getOrDefault(host, Map.of());
  }

  /**
   * Returns whether a host that takes runs offers these labels. While none takes any it is not
   * known what the next one offers, and nothing is missing.
   */
  boolean offer(Map<String, String> requires) {
    if (requires.isEmpty() || takers.isEmpty()) {
      return true;
    }
    Boolean known = offered.get(requires);
    if (known == null) {
      known =
          takers.stream().anyMatch(host -> of(host).entrySet().containsAll(requires.entrySet()));
      if (offered.size() >= MOST) {
        offered.clear();
      }
      offered.put(requires, known);
    }
    return known;
  }
}
