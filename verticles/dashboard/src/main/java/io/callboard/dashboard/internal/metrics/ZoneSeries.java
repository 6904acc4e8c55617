package io.callboard.dashboard.internal.metrics;

import static io.callboard.dashboard.internal.metrics.PrometheusWriter.label;

import io.callboard.admin.ZoneStatus;
import java.util.List;
import java.util.function.ToLongFunction;

/** Series of scheduling zones. */
final class ZoneSeries {
  private static final double NANOS = 1e9;

  private final PrometheusWriter out;
  private final List<ZoneStatus> zones;

  private ZoneSeries(PrometheusWriter out, List<ZoneStatus> zones) {
    this.out = out;
    this.zones = zones;
  }

  static void write(PrometheusWriter out, List<ZoneStatus> zones) {
    ZoneSeries series = new ZoneSeries(out, zones);
    series.gauge("actors", "Actors deployed in a scheduling zone", ZoneStatus::actors);
    series.gauge("threads", "Threads of a scheduling zone, 0 if not known", ZoneStatus::size);
    series.gauge("busy", "Threads that are running a slice of an actor", ZoneStatus::busy);
    series.gauge("queued", "Slices waiting for a thread", ZoneStatus::queued);
    series.gauge(
        "blocked",
        "Threads blocked for longer than the zone's blockedAfter",
        zone -> zone.blocked().size());
    series.counter("slices", "Slices run", ZoneStatus::slices);
    series.counter(
        "overflowed", "Slices that waited while the zone was full", ZoneStatus::overflowed);
    series.counter("rejected", "Slices refused by an executor given in code", ZoneStatus::rejected);
    series.counter(
        "blockages",
        "Times that a thread was blocked for longer than blockedAfter",
        ZoneStatus::blockages);
    series.busySeconds();
    series.waits();
  }

  private static String labels(ZoneStatus zone) {
    return label("zone", zone.name()) + "," + label("kind", zone.kind());
  }

  private void gauge(String what, String help, ToLongFunction<ZoneStatus> value) {
    lines("callboard_zone_" + what, "gauge", help, value);
  }

  private void counter(String what, String help, ToLongFunction<ZoneStatus> value) {
    lines("callboard_zone_" + what + "_total", "counter", help, value);
  }

  private void lines(String name, String type, String help, ToLongFunction<ZoneStatus> value) {
    out.head(name, type, help);
    zones.forEach(zone -> out.line(name, labels(zone), value.applyAsLong(zone)));
  }

  private void busySeconds() {
    String name = "callboard_zone_busy_seconds_total";
    out.head(name, "counter", "Time that all threads of a zone spent running slices");
    zones.forEach(zone -> out.line(name, labels(zone), zone.busyTime().toNanos() / NANOS));
  }

  private void waits() {
    String name = "callboard_zone_queue_wait_seconds";
    out.head(name, "histogram", "Time from requesting a slice to its start");
    zones.forEach(zone -> out.buckets(name, labels(zone), zone.queueWait(), NANOS));
  }
}
