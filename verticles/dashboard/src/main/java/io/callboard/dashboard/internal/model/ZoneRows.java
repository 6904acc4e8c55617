package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ZoneStatus;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Scheduling zones as JSON. Pure. */
final class ZoneRows {
  private static final double PER_MILLE = 1000;

  private ZoneRows() {}

  static JsonNode of(ZoneStatus zone) {
    ObjectNode row =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", zone.name())
            .put("kind", zone.kind())
            .put("size", zone.size())
            .put("maxSize", zone.maxSize())
            .put("actors", zone.actors())
            .put("busy", zone.busy())
            .put("queued", zone.queued())
            .put("full", zone.full());
    row.putObject("queueWait")
        .put("p50", text(zone.queueWaitP50()))
        .put("p99", text(zone.queueWaitP99()));
    if (zone.utilisation() != null) {
      row.put("utilisation", Math.round(zone.utilisation() * PER_MILLE) / PER_MILLE);
    }
    row.put("slices", zone.slices())
        .put("overflowed", zone.overflowed())
        .put("rejected", zone.rejected())
        .put("blockages", zone.blockages());
    ArrayNode blocked = row.putArray("blocked");
    zone.blocked().forEach(thread -> blocked.add(of(thread)));
    return row;
  }

  private static ObjectNode of(ZoneStatus.Blocked thread) {
    ObjectNode row = JsonNodeFactory.instance.objectNode().put("thread", thread.thread());
    if (thread.actor() != null) {
      row.put("actor", thread.actor());
    }
    row.put("blockedFor", thread.blockedFor().truncatedTo(ChronoUnit.MILLIS).toString());
    ArrayNode stack = row.putArray("stack");
    thread.stack().forEach(stack::add);
    return row;
  }

  private static String text(Duration duration) {
    return duration.truncatedTo(ChronoUnit.MICROS).toString();
  }
}
