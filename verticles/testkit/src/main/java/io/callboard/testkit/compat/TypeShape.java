package io.callboard.testkit.compat;

import io.callboard.codecs.MessageType;
import java.util.List;
import java.util.SortedMap;

/**
 * JSON form of one type of a protocol.
 *
 * @param formerly former names, sorted
 * @param fields kind of JSON by path; see {@link FieldShapes}
 */
record TypeShape(
    String name, int version, List<String> formerly, SortedMap<String, String> fields) {

  static TypeShape of(Class<?> type) {
    MessageType named = MessageType.of(type);
    return new TypeShape(
        named.name(),
        named.version(),
        MessageType.formerNames(type).stream().sorted().toList(),
        FieldShapes.of(type));
  }

  /** Returns whether data stored as {@code other} is now read as this type. */
  boolean isNow(String other) {
    return name.equals(other) || formerly.contains(other);
  }
}
