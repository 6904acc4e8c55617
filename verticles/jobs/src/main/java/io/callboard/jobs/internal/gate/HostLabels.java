package io.callboard.jobs.internal.gate;

import io.callboard.time.Machine;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Labels of the hosts, with those for the handlers that they offer, to be matched with the
 * requirements of runs. An answer costs O(hosts) once, until they change.
 */
@Machine
final class HostLabels {
  /** Number of answers from which on earlier ones are forgotten: more than a window has lanes. */
  private static final int MOST = 2 * Window.MOST;

  private Map<String, Map<String, String>> labels = Map.of();

  /** Handlers of the hosts that offer any, as labels. */
  private final Map<String, Map<String, String>> handlers = new HashMap<>();

  /** Mark of each host's present boot; a run has it if that boot could not read its arguments. */
  private final Map<String, String> marks = new HashMap<>();

  /** Labels with handlers, by host. */
  private final Map<String, Map<String, String>> both = new HashMap<>();

  /** Names of the hosts that take runs. */
  private List<String> takers = List.of();

  /** Whether there is a host that offers labels, by those. */
  private final Map<Map<String, String>, Boolean> offered = new HashMap<>();

  /** Sets the labels of the hosts that have any, by name. */
  void put(Map<String, Map<String, String>> now) {
    if (!labels.equals(now)) {
      labels = Map.copyOf(now);
      both.clear();
      offered.clear();
    }
  }

  /** Sets the boot of a host that reports, and the handlers that it offers. */
  void reports(HostView report) {
    String host = report.name();
    String mark = HandlerNeed.mark(report.member());
    if (!mark.equals(marks.put(host, mark))) {
      offered.clear();
    }
    Map<String, String> its = new HashMap<>();
    report.handlers().keySet().forEach(handler -> its.put(HandlerNeed.label(handler), ""));
    Map<String, String> before = its.isEmpty() ? handlers.remove(host) : handlers.put(host, its);
    if (!its.equals(before == null ? Map.of() : before)) {
      both.remove(host);
      offered.clear();
    }
  }

  /** Forgets the handlers of hosts that are not members any more. */
  void retain(Collection<String> hosts) {
    marks.keySet().retainAll(hosts);
    if (handlers.keySet().retainAll(hosts)) {
      both.clear();
      offered.clear();
    }
  }

  /** Sets the hosts that may be given runs; those without slots take none. */
  void take(Collection<HostView> hosts) {
    List<String> now = hosts.stream().filter(HostView::takesRuns).map(HostView::name).toList();
    if (!takers.equals(now)) {
      takers = now;
      offered.clear();
    }
  }

  /** Returns the labels of a host, with those for the handlers that it offers. */
  Map<String, String> of(String host) {
    Map<String, String> its = handlers.get(host);
    return its == null
        ? labels.getOrDefault(host, Map.of())
        : both.computeIfAbsent(
            host,
            name -> {
              Map<String, String> all = new HashMap<>(labels.getOrDefault(name, Map.of()));
              all.putAll(its);
              return all;
            });
  }

  /** Returns the mark of the boot of a host; an empty text for one that has not reported. */
  String mark(String host) {
    return marks.getOrDefault(host, "");
  }

  /** Returns whether a host has what a run requires, and may be able to read its arguments. */
  boolean meets(String host, Map<String, String> requires) {
    if (requires.isEmpty()) {
      return true;
    }
    Map<String, String> its = of(host);
    String mark = marks.get(host);
    for (Map.Entry<String, String> required : requires.entrySet()) {
      String label = required.getKey();
      boolean met =
          HandlerNeed.isUnreadable(label)
              ? mark == null || !required.getValue().contains(mark)
              : required.getValue().equals(its.get(label));
      if (!met) {
        return false;
      }
    }
    return true;
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
      known = takers.stream().anyMatch(host -> meets(host, requires));
      if (offered.size() >= MOST) {
        offered.clear();
      }
      offered.put(requires, known);
    }
    return known;
  }
}
