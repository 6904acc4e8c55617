package io.callboard.codecs;

import java.util.List;

/** The logical name and version of a class of messages. */
public record MessageType(String name, int version) {
  private static final ClassValue<MessageType> TYPES =
      new ClassValue<>() {
        @Override
        protected MessageType computeValue(Class<?> type) {
          Named named = type.getAnnotation(Named.class);
          String name = named == null ? "" : named.value();
          return new MessageType(
              name.isEmpty() ? ActorPath.kebab(type.getSimpleName()) : name,
              named == null ? 1 : named.version());
        }
      };

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
