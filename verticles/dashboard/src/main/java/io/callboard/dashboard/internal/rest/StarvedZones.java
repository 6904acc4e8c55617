package io.callboard.dashboard.internal.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ZoneStatus;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Scheduling zones in which no thread is free, for the readiness of a node. */
final class StarvedZones {
  /** Time after which an occupied thread is reported: a slice normally takes milliseconds. */
  static final Duration LONG = Duration.ofMinutes(1);

  private static final int MOST_ACTORS = 5;

  private StarvedZones() {}

  /** Adds the starved zones to {@code degraded} of a body. */
  static void report(List<ZoneStatus> zones, ObjectNode body) {
    for (ZoneStatus zone : zones) {
      if (zone.starvedFor().compareTo(LONG) >= 0) {
        ArrayNode degraded = body.withArray("degraded");
        degraded.addObject().put("zone", zone.name()).put("detail", detail(zone));
      }
    }
  }

  private static String detail(ZoneStatus zone) {
    String actors =
        zone.blocked().stream()
            .limit(MOST_ACTORS)
            .map(each -> each.actor() == null ? each.thread() : each.actor())
            .collect(Collectors.joining(", "));
    return "none of its %d threads has been free for %d s and %d slices wait; the threads are held by %s"
        .formatted(zone.maxSize(), zone.starvedFor().toSeconds(), zone.queued(), actors);
  }
}
