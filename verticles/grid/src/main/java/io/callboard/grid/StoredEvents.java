package io.callboard.grid;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.Formats;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Stored form of the log of the cell's events, the document of the monitor's role: JSON with a
 * format version.
 *
 * @param f the format
 */
record StoredEvents(
    int f,
    List<GridEvent> events,
    Map<String, String> members,
    Map<String, EventLog.Holder> holders,
    Map<String, Long> noted) {
  /** The format that this code writes; it also reads every older one. */
  static final int FORMAT = 1;

  private static final String WHAT =
      "the events of the cell (document of the role %s)".formatted(GridMonitor.ROLE);

  /** Checks that nothing is missing. */
  StoredEvents {
    Objects.requireNonNull(events, "events is missing");
    Objects.requireNonNull(members, "members is missing");
    Objects.requireNonNull(holders, "holders is missing");
    Objects.requireNonNull(noted, "noted is missing");
  }

  /** Encodes a log; if the events are too large together, only the last ones. */
  static byte[] encode(EventLog log) {
    List<GridEvent> events = log.events();
    byte[] bytes = encode(events, log);
    while (bytes.length > Limits.DOCUMENT_BYTES && !events.isEmpty()) {
      events = events.subList(events.size() / 4 + 1, events.size());
      bytes = encode(events, log);
    }
    return bytes;
  }

  private static byte[] encode(List<GridEvent> events, EventLog log) {
    return Json.uncheckedBytes(
        new StoredEvents(FORMAT, events, log.members(), log.holders(), log.noted()));
  }

  /**
   * Decodes a log.
   *
   * @throws StoreException of kind {@code CORRUPT} if it is malformed, or of a newer format
   */
  static EventLog decode(byte[] bytes) {
    try {
      Formats.check(WHAT, Json.parse(WHAT, bytes).path("f").asInt(), FORMAT);
      StoredEvents read = Json.read(WHAT, bytes, StoredEvents.class);
      return new EventLog(read.events(), read.members(), read.holders(), read.noted());
    } catch (CodecException e) {
      throw StoreException.corrupt(String.valueOf(e.getMessage()), e);
    } catch (NullPointerException e) { // a list or a map has null in it
      throw StoreException.corrupt(WHAT + " cannot be read: something in a list is null", e);
    }
  }
}
