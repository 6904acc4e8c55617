package io.callboard.testkit.compat;

import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * JSON form of one protocol.
 *
 * @param types types by logical name
 * @param upcast logical names of events that only the upcaster of their actor reads
 */
record ProtocolShape(String name, SortedMap<String, TypeShape> types, SortedSet<String> upcast) {

  /**
   * Returns the form of a protocol.
   *
   * @param upcast as of the record
   * @throws IllegalArgumentException if it is no protocol, or lacks an upcaster
   */
  static ProtocolShape of(Class<?> protocol, Set<String> upcast) {
    SortedMap<String, TypeShape> types = new TreeMap<>();
    for (Class<?> type : ProtocolCodec.of(protocol).types()) {
      TypeShape shape = TypeShape.of(type);
      types.put(shape.name(), shape);
    }
    return new ProtocolShape(MessageType.of(protocol).name(), types, new TreeSet<>(upcast));
  }

  /** Returns the type as which data stored under {@code name} is read; empty if there is none. */
  Optional<TypeShape> reader(String name) {
    return types.values().stream().filter(type -> type.isNow(name)).findFirst();
  }
}
