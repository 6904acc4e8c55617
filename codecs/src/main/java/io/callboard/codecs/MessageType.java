package io.callboard.codecs;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/** The logical name and version of a class of messages. */
public record MessageType(String name, int version) {
  private static final ClassValue<MessageType> TYPES =
      new ClassValue<>() {
        @Override
        protected MessageType computeValue(Class<?> type) {
          Named named = type.getAnnotation(Named.class);
          String given = named == null ? "" : named.value();
          String name = given.isEmpty() ? ActorPath.kebab(type.getSimpleName()) : given;
          know(name, type);
          formerNames(type).forEach(former -> know(former, type));
          return new MessageType(name, named == null ? 1 : named.version());
        }
      };

  /** Classes by their logical names, present and former. */
  private static final Map<String, Set<Class<?>>> KNOWN = new ConcurrentHashMap<>();

  /**
   * Creates a type.
   *
   * @throws IllegalArgumentException if the name is empty or the version is below 1
   */
  public MessageType {
    if (name.isEmpty() || version < 1) {
      throw new IllegalArgumentException(
          "a message type needs a name and a version of at least 1, not \"%s\" version %d"
              .formatted(name, version));
    }
  }

  /** Notes a class, without keeping it from being unloaded. */
  private static void know(String name, Class<?> type) {
    Set<Class<?>> known =
        KNOWN.computeIfAbsent(
            name,
            each -> Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>())));
    known.add(type);
  }

  /**
   * Returns the classes that have a logical name, or had it formerly, of those whose type was asked
   * for in this JVM ({@link #of}): as a codec of their protocol was made, or one was sent.
   */
  public static Set<Class<?>> classes(String name) {
    Set<Class<?>> known = KNOWN.get(name);
    if (known == null) {
      return Set.of();
    }
    synchronized (known) { // as the set asks of who goes through it
      return new HashSet<>(known);
    }
  }

  /**
   * Returns the type that a store holds.
   *
   * @param what names what it is the type of, in errors
   * @throws CodecException if the name is empty or the version is none
   */
  public static MessageType read(String what, String name, int version) {
    if (name.isEmpty() || version < 1) {
      throw CodecException.malformed(what, "it lacks its type or version");
    }
    return new MessageType(Json.text(what, name), version);
  }

  /** Returns the type under which instances of {@code type} travel. */
  public static MessageType of(Class<?> type) {
    return TYPES.get(type);
  }

  /** Returns the names that the class had before; see {@link Named#formerly()}. */
  public static List<String> formerNames(Class<?> type) {
    Named named = type.getAnnotation(Named.class);
    return named == null ? List.of() : List.of(named.formerly());
  }
}
