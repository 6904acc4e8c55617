package io.callboard.testkit;

import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How one protocol is stored and sent.
 *
 * @param types by logical name
 */
record ProtocolShape(String name, SortedMap<String, TypeShape> types) {

  /**
   * @throws IllegalArgumentException if it is no protocol, or lacks an upcaster
   */
  static ProtocolShape of(Class<?> protocol) {
    SortedMap<String, TypeShape> types = new TreeMap<>();
    for (Class<?> type : ProtocolCodec.of(protocol).types()) {
      TypeShape shape = TypeShape.of(type);
      types.put(shape.name(), shape);
    }
    return new ProtocolShape(MessageType.of(protocol).name(), types);
  }

  /** What reads that which is stored as {@code name}. */
  Optional<TypeShape> reader(String name) {
    return types.values().stream().filter(type -> type.isNow(name)).findFirst();
  }
}
