package io.callboard.metric;

import io.callboard.admin.ZoneStatus;
import java.util.List;
import java.util.function.ToLongFunction;

/** Series of scheduling zones. */
final class ZoneSeries {
  private static final double NANOS = 1e9;

  private final Metrics out;
  private final List<ZoneStatus> zones;

  private ZoneSeries(Metrics out, List<ZoneStatus> zones) {
    this.out = out;
    this.zones = zones;
  }

  static void write(Metrics out, List<ZoneStatus> zones) {
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

  private static String[] labels(ZoneStatus zone) {
    return new String[] {"zone", zone.name(), "kind", zone.kind()};
  }

  private void gauge(String what, String help, ToLongFunction<ZoneStatus> value) {
    add(out.gauges("callboard_zone_" + what, help), value);
  }

  private void counter(String what, String help, ToLongFunction<ZoneStatus> value) {
    add(out.counters("callboard_zone_" + what + "_total", help), value);
  }

  private void add(Metrics.Series series, ToLongFunction<ZoneStatus> value) {
    zones.forEach(zone -> series.add(value.applyAsLong(zone), labels(zone)));
  }

  private void busySeconds() {
    Metrics.Series seconds =
        out.counters(
            "callboard_zone_busy_seconds_total",
            "Time that all threads of a zone spent running slices");
    zones.forEach(zone -> seconds.add(zone.busyTime().toNanos() / NANOS, labels(zone)));
  }

  private void waits() {
    Metrics.Series waits =
        out.histograms(
            "callboard_zone_queue_wait_seconds", "Time from requesting a slice to its start");
    zones.forEach(zone -> waits.add(zone.queueWait(), NANOS, labels(zone)));
  }
}
