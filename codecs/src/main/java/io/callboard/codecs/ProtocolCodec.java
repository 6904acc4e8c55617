package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the messages of one protocol: the closed set of concrete types below a sealed interface, or
 * a single record. Immutable; safe for use by many threads.
 */
public final class ProtocolCodec<M> {
  private final Class<M> protocol;
  private final Map<String, Class<? extends M>> types = new LinkedHashMap<>();
  private final Map<Class<?>, ObjectReader> readers = new HashMap<>();

  private static final ClassValue<ProtocolCodec<?>> CODECS =
      new ClassValue<>() {
        @Override
        protected ProtocolCodec<?> computeValue(Class<?> type) {
          return new ProtocolCodec<>(type);
        }
      };

  private ProtocolCodec(Class<M> protocol) {
    this.protocol = protocol;
    collect(protocol);
    types.values().forEach(type -> readers.put(type, Json.reader(type)));
  }

  /**
   * @throws IllegalArgumentException if {@code protocol} is open (neither sealed nor final) or two
   *     of its types share a logical name
   */
  @SuppressWarnings("unchecked")
  public static <M> ProtocolCodec<M> of(Class<M> protocol) {
    return (ProtocolCodec<M>) CODECS.get(protocol);
  }

  private void collect(Class<? extends M> type) {
    if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        collect(permitted.asSubclass(protocol));
      }
      if (type.isInterface() || java.lang.reflect.Modifier.isAbstract(type.getModifiers())) {
        return;
      }
    } else if (!java.lang.reflect.Modifier.isFinal(type.getModifiers())) {
      throw new IllegalArgumentException(
          "%s is open: a protocol is a sealed interface of records, or one record"
              .formatted(type.getName()));
    }
    String name = MessageType.of(type).name();
    Class<? extends M> other = types.putIfAbsent(name, type);
    if (other != null && other != type) {
      throw new IllegalArgumentException(
          "%s and %s have the same logical name \"%s\": give one of them @Named"
              .formatted(other.getName(), type.getName(), name));
    }
  }

  /** The protocol's root type. */
  public Class<M> protocol() {
    return protocol;
  }

  /** The concrete types, in the order of the permits clauses. */
  public Set<Class<? extends M>> types() {
    return Set.copyOf(types.values());
  }

  /** The logical names. */
  public Set<String> names() {
    return Set.copyOf(types.keySet());
  }

  /**
   * @throws CodecException if the type is not of this protocol, is newer than this code, or the
   *     body does not fit it
   */
  public M decode(MessageType type, JsonNode body) {
    return Json.convert(what(type), body, target(type));
  }

  /**
   * {@link #decode(MessageType, JsonNode)} from {@code length} bytes of UTF-8 JSON, without a tree
   * between.
   */
  public M decode(MessageType type, byte[] json, int offset, int length) {
    Class<? extends M> target = target(type);
    ObjectReader reader = readers.get(target);
    if (reader == null) {
      throw new IllegalStateException("no reader for " + target);
    }
    Object value;
    try {
      value = reader.readValue(json, offset, length);
    } catch (IOException | IllegalArgumentException e) {
      throw CodecException.malformed(what(type), e);
    }
    if (value == null) {
      throw CodecException.malformed(what(type), "it is null");
    }
    return target.cast(value);
  }

  /** The message of an envelope: the very object if it was sent in this process. */
  public M decode(Envelope envelope) {
    Object message = envelope.message();
    if (message != null && readers.containsKey(message.getClass())) {
      return protocol.cast(message);
    }
    return decode(envelope.type(), envelope.body(), 0, envelope.body().length);
  }

  /**
   * The same messages; large ones that were handed over in this process, but are not of this
   * protocol's classes, without what only the blob log can say of them then.
   */
  public List<Envelope> readable(List<Envelope> envelopes) {
    for (int i = 0; i < envelopes.size(); i++) {
      if (!isReadable(envelopes.get(i))) {
        return envelopes.stream().map(e -> isReadable(e) ? e : e.withoutBlob()).toList();
      }
    }
    return envelopes;
  }

  private boolean isReadable(Envelope envelope) {
    Object message = envelope.message();
    return envelope.blob() == null || message == null || readers.containsKey(message.getClass());
  }

  private Class<? extends M> target(MessageType type) {
    Class<? extends M> target = types.get(type.name());
    if (target == null) {
      throw CodecException.unknownType(type.name(), protocol.getSimpleName(), types.keySet());
    }
    int known = MessageType.of(target).version();
    if (type.version() > known) {
      throw CodecException.newerVersion(what(type), type.version(), known);
    }
    return target;
  }

  private String what(MessageType type) {
    return "message \"" + type.name() + "\" of " + protocol.getSimpleName();
  }
}
