package io.callboard.codecs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Codec of the messages of one protocol: the closed set of concrete types below a sealed interface,
 * or a single record. {@link RawMessage} is the protocol of all messages. What has an older version
 * goes through the steps of its type ({@link Upcast}) first. Immutable; safe for use by many
 * threads.
 */
public final class ProtocolCodec<M> {
  private static final String MESSAGE = "message";

  private final Class<M> protocol;
  private final String label;
  private final @Nullable String sole;
  private final boolean takesAll;
  private final Map<String, Entry<M>> types = new LinkedHashMap<>();
  private final Map<String, Entry<M>> formerTypes = new HashMap<>();
  private final Map<Class<? extends M>, Entry<M>> classes = new LinkedHashMap<>();

  /** Reader of one type. */
  private record Entry<M>(
      Class<? extends M> target, int version, ObjectReader reader, Upcasters upcasters) {}

  /**
   * A value that was read, and what of its JSON is not in it.
   *
   * @param unknown fields that a newer version of its type wrote
   */
  public record Read<M>(M value, UnknownFields unknown) {}

  private static final ClassValue<ProtocolCodec<?>> CODECS =
      new ClassValue<>() {
        @Override
        protected ProtocolCodec<?> computeValue(Class<?> type) {
          return new ProtocolCodec<>(type);
        }
      };

  private ProtocolCodec(Class<M> protocol) {
    this.protocol = protocol;
    this.label = protocol.getSimpleName();
    collect(protocol);
    classes.values().forEach(this::collectFormer);
    this.takesAll = protocol == RawMessage.class;
    this.sole = types.size() == 1 && !takesAll ? types.keySet().iterator().next() : null;
  }

  private ProtocolCodec(Class<M> all, ProtocolCodec<? extends M> own, Set<Class<?>> foreign) {
    this.protocol = all;
    this.sole = own.sole;
    this.takesAll = false;
    StringJoiner labels = new StringJoiner(" or ").add(own.label);
    add(own);
    for (Class<?> each : foreign) {
      ProtocolCodec<?> codec = CODECS.get(each);
      labels.add(codec.label);
      add(codec);
    }
    this.label = labels.toString();
  }

  @SuppressWarnings("unchecked")
  private void add(ProtocolCodec<?> other) {
    for (Map.Entry<? extends Class<?>, ? extends Entry<?>> each : other.classes.entrySet()) {
      Entry<M> readable = (Entry<M>) each.getValue();
      if (classes.putIfAbsent((Class<? extends M>) each.getKey(), readable) != null) {
        throw new IllegalArgumentException(
            "%s is in %s and in another protocol of the same actor: keep it in one of them"
                .formatted(each.getKey().getName(), other.protocol.getName()));
      }
    }
    other.types.forEach((name, readable) -> name(types, name, (Entry<M>) readable));
    other.formerTypes.forEach((name, readable) -> name(formerTypes, name, (Entry<M>) readable));
    for (Map.Entry<String, Entry<M>> former : formerTypes.entrySet()) {
      Entry<M> now = types.get(former.getKey());
      if (now != null) {
        throw sameName(now, former.getValue(), former.getKey());
      }
    }
  }

  /**
   * Reads what an actor of protocol {@code own} may find in its mailbox that understands others,
   * too.
   *
   * @throws IllegalArgumentException if one of them is no protocol, or a type or logical name is in
   *     two of them
   */
  public static ProtocolCodec<Object> of(Class<?> own, Set<Class<?>> foreign) {
    return new ProtocolCodec<>(Object.class, CODECS.get(own), foreign);
  }

  /** Returns the logical name that is meant where none is given; null if several could be meant. */
  public @Nullable String sole() {
    return sole;
  }

  /**
   * Returns the codec of a protocol, made once for each class.
   *
   * @throws IllegalArgumentException if {@code protocol} is open (neither sealed nor final), two of
   *     its types share a logical name, or a type of version 2 or more lacks an {@link Upcast}
   */
  @SuppressWarnings("unchecked")
  public static <M> ProtocolCodec<M> of(Class<M> protocol) {
    return (ProtocolCodec<M>) CODECS.get(protocol);
  }

  /**
   * Fails where {@link #of} would.
   *
   * @throws IllegalArgumentException if {@code protocol} is none
   */
  public static void check(Class<?> protocol) {
    CODECS.get(protocol);
  }

  /**
   * Checks a protocol of values that are always stored and so must be readable again: states,
   * events. (An actor may have messages that it only sends to itself, in memory: messages are
   * checked when they are written.)
   *
   * @param kind what errors call it
   * @throws CodecException if a type could be written, but never be read back
   */
  public static void checkStored(String kind, Class<?> protocol) {
    CODECS.get(protocol).types().forEach(type -> RoundTripCheck.check(kind, type));
  }

  private void collect(Class<? extends M> type) {
    if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        collect(permitted.asSubclass(protocol));
      }
      if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
        return;
      }
    } else if (!Modifier.isFinal(type.getModifiers())) {
      throw new IllegalArgumentException(
          "%s is open: what is sent, answered or stored is a record or a final class, or a sealed interface of these; make it one"
              .formatted(type.getName()));
    }
    if (!classes.containsKey(type)) {
      MessageType named = MessageType.of(type);
      Entry<M> readable = new Entry<>(type, named.version(), Json.reader(type), Upcasters.of(type));
      classes.put(type, readable);
      name(types, named.name(), readable);
    }
  }

  private void collectFormer(Entry<M> readable) {
    for (String former : MessageType.formerNames(readable.target())) {
      Entry<M> other = types.get(former);
      if (other != null) {
        throw sameName(other, readable, former);
      }
      name(formerTypes, former, readable);
    }
  }

  private void name(Map<String, Entry<M>> names, String name, Entry<M> readable) {
    Entry<M> other = names.putIfAbsent(name, readable);
    if (other != null) {
      throw sameName(other, readable, name);
    }
  }

  private IllegalArgumentException sameName(Entry<M> one, Entry<M> other, String name) {
    return new IllegalArgumentException(
        "%s and %s have the same logical name \"%s\", now or formerly: give one of them @Named"
            .formatted(one.target().getName(), other.target().getName(), name));
  }

  /** Returns the root type of the protocol. */
  public Class<M> protocol() {
    return protocol;
  }

  /** Returns the concrete types, in the order of the permits clauses. */
  public Set<Class<? extends M>> types() {
    return Collections.unmodifiableSet(classes.keySet());
  }

  /** Returns the logical names, without former ones. */
  public Set<String> names() {
    return Collections.unmodifiableSet(types.keySet());
  }

  /** Returns whether the protocol has, or had, a type of that logical name. */
  public boolean reads(String name) {
    return takesAll || types.containsKey(name) || formerTypes.containsKey(name);
  }

  /** Returns whether {@code message} is of this protocol. */
  public boolean knows(Object message) {
    return classes.containsKey(message.getClass());
  }

  /**
   * Returns the type of that logical name as this code writes it.
   *
   * @throws CodecException if it is not of this protocol
   */
  public MessageType current(String name) {
    return takesAll
        ? MessageType.read(MESSAGE, name, 1)
        : MessageType.of(readable(MESSAGE, name).target());
  }

  /**
   * Decodes a message from a tree.
   *
   * @throws CodecException if the type is not of this protocol, is newer than this code, or the
   *     body does not fit it, or lacks what must be there
   */
  public M decode(MessageType type, JsonNode body) {
    return decode(MESSAGE, type, body);
  }

  /**
   * Decodes a message that users wrote, and that nobody has accepted yet: {@link
   * Json#convertExactly} reads it.
   *
   * @throws CodecException where {@link #decode(MessageType, JsonNode)} does, and for a number that
   *     is something else
   */
  public M decodeExactly(MessageType type, JsonNode body) {
    if (takesAll) {
      return decode(type, body);
    }
    Entry<M> readable = readable(MESSAGE, type);
    return Json.convertExactly(
        what(MESSAGE, type), upcast(MESSAGE, readable, type, body), readable.target());
  }

  private JsonNode upcast(String kind, Entry<M> readable, MessageType type, JsonNode body) {
    return type.version() < readable.version()
        ? readable.upcasters().upcast(what(kind, type), type.version(), body)
        : body;
  }

  /**
   * Decodes a value of a protocol of states or events, as {@link #decode(MessageType, JsonNode)}
   * decodes messages.
   *
   * @param kind what errors call it: a state, an event
   */
  public M decode(String kind, MessageType type, JsonNode body) {
    if (takesAll) {
      return protocol.cast(new RawMessage(type, Json.bytes(body)));
    }
    Entry<M> readable = readable(kind, type);
    return Json.convert(what(kind, type), upcast(kind, readable, type, body), readable.target());
  }

  /** Decodes a message from {@code length} bytes of UTF-8 JSON, without a tree between. */
  public M decode(MessageType type, byte[] json, int offset, int length) {
    return decode(MESSAGE, type, json, offset, length);
  }

  /**
   * Decodes a value of a protocol of states or events from {@code length} bytes of UTF-8 JSON,
   * without a tree between.
   *
   * @param kind what errors call it: a state, an event
   */
  public M decode(String kind, MessageType type, byte[] json, int offset, int length) {
    if (takesAll) {
      byte[] body = Arrays.copyOfRange(json, offset, offset + length);
      return protocol.cast(new RawMessage(type, body));
    }
    Entry<M> readable = readable(kind, type);
    if (type.version() < readable.version()) {
      return decode(kind, type, Json.parse(what(kind, type), json, offset, length));
    }
    Object value;
    try {
      value = readable.reader().readValue(json, offset, length);
    } catch (IOException | IllegalArgumentException e) {
      throw CodecException.misfit(what(kind, type), e);
    }
    if (value == null) {
      throw CodecException.malformed(what(kind, type), "it is null");
    }
    return readable.target().cast(value);
  }

  /**
   * Reads, as {@link #decode(String, MessageType, JsonNode)} does, a value that is written again
   * and must not lose the fields that a newer version wrote.
   *
   * @throws UnsupportedOperationException of the protocol of all messages
   */
  public Read<M> read(String kind, MessageType type, JsonNode body) {
    if (takesAll) {
      throw new UnsupportedOperationException("messages of any type have no fields");
    }
    Entry<M> readable = readable(kind, type);
    String what = what(kind, type);
    JsonNode now = upcast(kind, readable, type, body);
    UnknownFields.Collector collector = new UnknownFields.Collector();
    M value;
    try {
      value =
          readable
              .reader()
              .withAttribute(UnknownFields.Collector.KEY, collector)
              .readValue(now, readable.target());
    } catch (IOException | IllegalArgumentException e) {
      throw CodecException.misfit(what, e);
    }
    if (value == null) {
      throw CodecException.malformed(what, "it is null");
    }
    return new Read<>(value, collector.collected(MessageType.of(readable.target()).name(), value));
  }

  /**
   * Reads a value that is written again from UTF-8 JSON, without a tree between unless it is of an
   * older version.
   */
  public Read<M> read(String kind, MessageType type, byte[] json, int offset, int length) {
    Entry<M> readable = readable(kind, type);
    if (takesAll || type.version() < readable.version()) {
      return read(kind, type, Json.parse(what(kind, type), json, offset, length));
    }
    UnknownFields.Collector collector = new UnknownFields.Collector();
    Object value;
    try {
      value =
          readable
              .reader()
              .withAttribute(UnknownFields.Collector.KEY, collector)
              .readValue(json, offset, length);
    } catch (IOException | IllegalArgumentException e) {
      throw CodecException.misfit(what(kind, type), e);
    }
    if (value == null) {
      throw CodecException.malformed(what(kind, type), "it is null");
    }
    return new Read<>(
        readable.target().cast(value),
        collector.collected(MessageType.of(readable.target()).name(), value));
  }

  /** Returns the message of an envelope: the very object if it was sent in this process. */
  public M decode(Envelope envelope) {
    Object message = envelope.message();
    if (message != null && knows(message)) {
      return protocol.cast(message);
    }
    return decode(envelope.type(), envelope.body(), 0, envelope.body().length);
  }

  /**
   * Returns the envelopes such that each can be decoded by this protocol. A large message that was
   * handed over in this process as an object of other classes loses that object; its body is then
   * read from the blob log.
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
    return envelope.blob() == null || message == null || knows(message);
  }

  private Entry<M> readable(String kind, String name) {
    Entry<M> readable = types.get(name);
    if (readable == null) {
      readable = formerTypes.get(name);
    }
    if (readable == null) {
      throw CodecException.unknownType(kind, name, label, types.keySet());
    }
    return readable;
  }

  private Entry<M> readable(String kind, MessageType type) {
    Entry<M> readable = readable(kind, type.name());
    if (type.version() > readable.version()) {
      throw CodecException.newerVersion(what(kind, type), type.version(), readable.version());
    }
    return readable;
  }

  private String what(String kind, MessageType type) {
    return kind + " \"" + type.name() + "\" of " + label;
  }
}
