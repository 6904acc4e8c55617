package io.callboard.dashboard.internal.metrics;

import static io.callboard.dashboard.internal.metrics.PrometheusWriter.label;

import io.callboard.admin.FailureZoneStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Series of failure zones: those with the most failures, up to a limit. */
final class FailureZoneSeries {
  private static final int MOST = 200;

  private final PrometheusWriter out;
  private final List<FailureZoneStatus> shown;

  private FailureZoneSeries(PrometheusWriter out, List<FailureZoneStatus> shown) {
    this.out = out;
    this.shown = shown;
  }

  static void write(PrometheusWriter out, List<FailureZoneStatus> zones) {
    Map<FailureZoneStatus.State, Long> states = new TreeMap<>();
    zones.forEach(zone -> states.merge(zone.state(), 1L, Long::sum));
    out.head("callboard_failure_zones", "gauge", "Failure zones of this node by state");
    states.forEach(
        (state, count) -> out.line("callboard_failure_zones", label("state", state.name()), count));
    out.gauge(
        "callboard_failure_zones_not_shown",
        "Failure zones without series of their own",
        Math.max(0, zones.size() - MOST));
    List<FailureZoneStatus> shown =
        zones.stream()
            .sorted(
                Comparator.comparingLong(FailureZoneStatus::childFailures)
                    .reversed()
                    .thenComparing(FailureZoneStatus::path))
            .limit(MOST)
            .toList();
    FailureZoneSeries series = new FailureZoneSeries(out, shown);
    series.counter(
        "restarts", "Restarts of a failure zone as a whole", FailureZoneStatus::restarts);
    series.counter(
        "child_restarts",
        "Restarts of the children of a failure zone",
        FailureZoneStatus::childRestarts);
    series.counter(
        "child_failures",
        "Failures of the children of a failure zone",
        FailureZoneStatus::childFailures);
    String children = "callboard_failure_zone_children";
    out.head(children, "gauge", "Actors and failure zones directly in a failure zone");
    shown.forEach(zone -> out.line(children, labels(zone), zone.children().size()));
  }

  private static String labels(FailureZoneStatus zone) {
    return label("zone", zone.path().toString());
  }

  private void counter(String what, String help, ToLongFunction<FailureZoneStatus> value) {
    String name = "callboard_failure_zone_" + what + "_total";
    out.head(name, "counter", help);
    shown.forEach(zone -> out.line(name, labels(zone), value.applyAsLong(zone)));
  }
}
