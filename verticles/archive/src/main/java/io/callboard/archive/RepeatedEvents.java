package io.callboard.archive;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.journal.FeedEvent;
import io.callboard.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Comparison of events that a feed writes again with the stored ones. They must be equal, or the
 * cell and its archive do not belong together.
 */
final class RepeatedEvents {
  /** Tolerance of times: databases store milliseconds, and some round. */
  private static final Duration CLOCK_STEP = Duration.ofMillis(1);

  private RepeatedEvents() {}

  /**
   * Checks the events, as part of a transaction.
   *
   * @param events events of one feed, with consecutive positions; not empty
   * @throws StoreException of kind {@code CORRUPT} that names the first position that differs
   */
  static void check(Connection connection, List<FeedEvent> events) throws SQLException {
    FeedEvent first = events.get(0);
    Map<Long, FeedEvent> archived = new HashMap<>();
    for (FeedEvent each :
        EventTable.read(connection, first.feed(), first.position() - 1, events.size())) {
      archived.put(each.position(), each);
    }
    for (FeedEvent event : events) {
      FeedEvent there = archived.get(event.position());
      String differs = there == null ? "is not there" : difference(event, there);
      if (!differs.isEmpty()) {
        throw StoreException.corrupt(
            "position %d of feed %s is event %d of %s (turn %d) in the cell, and in the archive it %s: it is the archive of another cell, or the cell was restored to an older state; nothing is written to it. Stop all nodes; 'callboard archive' shows what differs, and cuts the archive back with --cut"
                .formatted(
                    event.position(),
                    event.feed(),
                    event.number(),
                    event.actor(),
                    event.turn(),
                    differs));
      }
    }
  }

  /** Returns how the stored event differs; empty if it does not. */
  private static String difference(FeedEvent event, FeedEvent there) {
    if (!there.actor().equals(event.actor()) || there.number() != event.number()) {
      return "is event %d of %s".formatted(there.number(), there.actor());
    } else if (there.turn() != event.turn()) {
      return "is of turn " + there.turn();
    } else if (Duration.between(there.at(), event.at()).abs().compareTo(CLOCK_STEP) > 0) {
      return "was committed at %s, not at %s".formatted(there.at(), event.at());
    } else if (!there.type().equals(event.type()) || there.version() != event.version()) {
      return "has the type \"%s\" version %d".formatted(there.type(), there.version());
    }
    return same(there.body(), event.body()) ? "" : "has another body";
  }

  private static boolean same(JsonNode one, JsonNode other) {
    return one.equals(other)
        || Json.parse("an event", Json.bytes(one))
            .equals(Json.parse("an event", Json.bytes(other)));
  }
}
