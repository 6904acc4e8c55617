package io.callboard.codecs;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name of an actor: {@code /segment/segment}, unique in its cell.
 *
 * <p>A segment holds letters, digits and {@code - _ . @ + =}; at most {@value #MAX_LENGTH}
 * characters in all, so that a path always fits a znode name.
 */
public final class ActorPath implements Comparable<ActorPath> {
  /** Maximum length of a path, in characters. */
  public static final int MAX_LENGTH = 200;

  private final String value;

  private ActorPath(String value) {
    this.value = value;
  }

  /**
   * Returns the path of that text.
   *
   * @param path with or without its leading slash
   * @throws IllegalArgumentException if it is not a path; the message says what is allowed
   */
  public static ActorPath of(String path) {
    Objects.requireNonNull(path, "path is null: give the path of an actor, such as /orders/7");
    String full = path.startsWith("/") ? path : "/" + path;
    if (full.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "actor path is %d characters long, at most %d are allowed: %.40s…"
              .formatted(full.length(), MAX_LENGTH, full));
    }
    if (!isValid(full)) {
      throw new IllegalArgumentException(
          "\"%s\" is not an actor path: use /segment/segment with letters, digits and - _ . @ + =, no segment beginning with a dot"
              .formatted(path));
    }
    return new ActorPath(full);
  }

  /**
   * Returns whether {@code path} consists of segments, each behind its slash; a segment does not
   * begin with a dot.
   */
  private static boolean isValid(String path) {
    boolean first = false;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '/') {
        if (first) {
          return false;
        }
        first = true;
      } else if (i == 0 || !(isOfName(c) || (c == '.' && !first))) {
        return false;
      } else {
        first = false;
      }
    }
    return path.length() > 0 && !first;
  }

  private static boolean isOfName(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-_@+=".indexOf(c) >= 0;
  }

  /**
   * Returns the path one segment below this one.
   *
   * @throws IllegalArgumentException if {@code name} is not one segment
   */
  public ActorPath child(String name) {
    if (name.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "\"%s\" is not the name of a child of %s: it contains a slash".formatted(name, value));
    }
    return of(value + "/" + name);
  }

  /** Returns the path one segment above this one; null if this is a first segment. */
  public @Nullable ActorPath parent() {
    int end = value.lastIndexOf('/');
    return end <= 0 ? null : new ActorPath(value.substring(0, end));
  }

  /** Returns the last segment. */
  public String name() {
    return value.substring(value.lastIndexOf('/') + 1);
  }

  /** Returns whether this path is {@code prefix} or lies below it, by whole segments. */
  public boolean isWithin(ActorPath prefix) {
    return value.equals(prefix.value) || value.startsWith(prefix.value + "/");
  }

  /** Returns the first segment: the space whose partitions hold this path. */
  public String space() {
    int end = value.indexOf('/', 1);
    return end < 0 ? value.substring(1) : value.substring(1, end);
  }

  /**
   * Returns the partition that owns a durable actor of this path: the CRC-32C of the path modulo
   * {@code count}, the number of partitions of its space. A role and everything below it are in the
   * partition of that role.
   */
  public Partition partition(int count) {
    Optional<String> role = role();
    return role.isPresent()
        ? Partition.ofRole(role.get())
        : new Partition(space(), (int) (Partition.hash(value) % count));
  }

  /** Returns whether this is the path of a role itself. */
  public boolean isRole() {
    return role()
        .filter(role -> value.length() == Partition.ROLES.length() + role.length() + 2)
        .isPresent();
  }

  /** Returns the role that this path is or lies below; empty if it is not below {@code /roles}. */
  public Optional<String> role() {
    String prefix = "/" + Partition.ROLES + "/";
    if (!value.startsWith(prefix)) {
      return Optional.empty();
    }
    int end = value.indexOf('/', prefix.length());
    return Optional.of(value.substring(prefix.length(), end < 0 ? value.length() : end));
  }

  /** Returns the path as one znode name: the slashes become colons, which a path never holds. */
  public String toNodeName() {
    return value.substring(1).replace('/', ':');
  }

  /** Returns the path of a znode name, the inverse of {@link #toNodeName()}. */
  public static ActorPath fromNodeName(String node) {
    return of("/" + node.replace(':', '/'));
  }

  /** Returns the event-bus address under which plain Vert.x code reaches the actor. */
  public String busAddress() {
    return "callboard:" + value;
  }

  @Override
  public int compareTo(ActorPath other) {
    return value.compareTo(other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ActorPath path && path.value.equals(value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return value;
  }

  /** Turns {@code FooBar} into {@code foo-bar}, as a class name becomes a logical name. */
  static String kebab(String camel) {
    return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }
}
