package io.callboard.testkit.compat;

import io.callboard.codecs.MessageType;
import java.util.List;
import java.util.SortedMap;

/**
 * The JSON form of one type of a protocol.
 *
 * @param formerly names it had before, sorted
 * @param fields what JSON is where, by path; see {@link FieldShapes}
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

  /** Whether what is stored as {@code other} is now read as this. */
  boolean isNow(String other) {
    return name.equals(other) || formerly.contains(other);
  }
}
