package io.callboard.grid;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.Member;
import io.callboard.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Stored form of the fact by which an earlier version's holder of the monitor's role publishes the
 * events of the cell. It is only read, and only while there is no document of the role.
 */
record PublishedEvents(int f, List<GridEvent> events) {
  /** Name of the fact. */
  static final String FACT = "grid.events";

  /** Returns the events that a holder has published; empty if it has published none. */
  static Optional<List<GridEvent>> of(Member holder) {
    String fact = holder.facts().getOrDefault(FACT, "");
    if (fact.isEmpty()) {
      return Optional.empty();
    }
    String what = "the events of node " + holder.name();
    try {
      return Optional.of(
          Json.read(what, fact.getBytes(StandardCharsets.UTF_8), PublishedEvents.class).events());
    } catch (CodecException e) {
      throw StoreException.corrupt(String.valueOf(e.getMessage()), e);
    }
  }
}
