package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.dashboard.internal.attention.Reading;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Sections of a snapshot, each with the time at which it was read. The times are a section of their
 * own, so that a section which did not change is the same as before.
 */
final class Sections {
  private final Instant now;
  private final Map<String, ObjectNode> sections = new LinkedHashMap<>();
  private final ObjectNode asOf = JsonNodeFactory.instance.objectNode();

  Sections(Instant now) {
    this.now = now;
  }

  /** Adds a section that was read now. */
  void put(String name, ObjectNode section) {
    sections.put(name, section);
    asOf.put(name, text(now));
  }

  /**
   * Adds a section of a reading; after a failed reading the section has the last value, and the
   * error.
   */
  <T> void put(String name, Reading<T> reading, Function<T, ObjectNode> form) {
    T value = reading.value();
    Instant at = reading.asOf();
    ObjectNode section = value == null ? JsonNodeFactory.instance.objectNode() : form.apply(value);
    if (reading.error() != null) {
      section.put("error", reading.error());
    }
    sections.put(name, section);
    if (at != null) {
      asOf.put(name, text(at));
    }
  }

  /** Returns the sections, with the times of all of them. */
  Map<String, ObjectNode> all() {
    sections.put("asOf", asOf);
    return sections;
  }

  /** Whole seconds are enough for people, and change no more often. */
  private static String text(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
