package io.callboard.testkit.compat;

import io.callboard.PersistentActor;
import io.callboard.codecs.EventUpcaster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Test that stored data stays readable when the code changes: a file in the repository records the
 * JSON form of each protocol, and the test compares it with the code.
 *
 * <pre>{@code
 * @Test
 * void storedMessagesStayReadable() {
 *   ProtocolLock.check(
 *       Path.of("src/test/resources/protocols.lock"), Command.class, Event.class, State.class);
 * }
 * }</pre>
 *
 * <p>Name all that is stored or sent between nodes: the messages of actors, the events, the states,
 * the answers. Newer nodes read what older ones wrote, and older ones what newer ones wrote or
 * refuse it with an error that says so; so the test fails for good if, without a step ({@link
 * io.callboard.codecs.Named#version()} and {@link io.callboard.codecs.Upcast}):
 *
 * <ul>
 *   <li>a field is gone, renamed or of another type, at any depth;
 *   <li>a field is new, but not {@code Nullable};
 *   <li>a field has become {@code Nullable}, or ceased to be;
 *   <li>a constant of an enum is gone;
 * </ul>
 *
 * <p>and with or without one, if a type is gone or has another name without {@code formerly}, a
 * former name is gone, a version went down, or a protocol is not checked any more. Whatever else
 * has changed (a new type, a new {@code Nullable} field, a new constant, a new version with its
 * step) fails the test until the file is rewritten: {@code -Dcallboard.lock=update}. It is part of
 * the change, so that whoever reviews it sees what the disk will see.
 *
 * <p>A nested record is a part of each type that holds it: if it changes, each of them needs a
 * step. A new {@code Nullable} field of a state is kept by nodes that do not know it, unless it
 * lies within a list: then they lose it whenever they write the state, and the test says so. What
 * the file cannot see is how a class treats a value: a narrower check in a constructor, another
 * format of a {@code @JsonValue}.
 */
public final class ProtocolLock {
  /** System property that, with the value {@code update}, lets {@link #check} rewrite its file. */
  public static final String PROPERTY = "callboard.lock";

  private ProtocolLock() {}

  /**
   * Checks the protocols.
   *
   * @param lockFile file, relative to the module, where Maven runs its tests
   * @throws AssertionError if a protocol differs from the file; names each field and how to correct
   *     it
   * @throws IllegalArgumentException if one of {@code protocols} is no protocol, or the file is no
   *     lock file
   */
  public static void check(Path lockFile, Class<?>... protocols) {
    check(lockFile, "update".equals(System.getProperty(PROPERTY)), protocols);
  }

  /**
   * Checks the protocols where an actor's upcaster converts events that no class reads any more
   * ({@link EventUpcaster#gone()}): such a type may be removed from the code. Whether the upcaster
   * does convert them is for {@link GoldenEvents} to show.
   *
   * @param upcasting create the actors that have an upcaster
   */
  public static void check(
      Path lockFile,
      List<Supplier<? extends PersistentActor<?, ?, ?>>> upcasting,
      Class<?>... protocols) {
    check(lockFile, "update".equals(System.getProperty(PROPERTY)), upcasting, protocols);
  }

  static void check(Path lockFile, boolean update, Class<?>... protocols) {
    check(lockFile, update, List.of(), protocols);
  }

  static void check(
      Path lockFile,
      boolean update,
      List<Supplier<? extends PersistentActor<?, ?, ?>>> upcasting,
      Class<?>... protocols) {
    SortedMap<String, ProtocolShape> now = shapes(upcasting, protocols);
    String text = LockFile.write(now);
    try {
      if (Files.exists(lockFile)) {
        compare(lockFile, now, text, update);
      } else if (!update) {
        throw new AssertionError(
            "there is no %s: create it by running this test with -D%s=update, and commit it"
                .formatted(lockFile, PROPERTY));
      }
      if (update) {
        Files.writeString(lockFile, text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(lockFile + " cannot be read or written", e);
    }
  }

  private static SortedMap<String, ProtocolShape> shapes(
      List<Supplier<? extends PersistentActor<?, ?, ?>>> upcasting, Class<?>... protocols) {
    Map<Class<?>, Set<String>> gone = new HashMap<>();
    for (Supplier<? extends PersistentActor<?, ?, ?>> each : upcasting) {
      PersistentActor<?, ?, ?> actor = each.get();
      gone.computeIfAbsent(actor.eventType(), type -> new HashSet<>()).addAll(actor.goneEvents());
    }
    SortedMap<String, ProtocolShape> shapes = new TreeMap<>();
    for (Class<?> protocol : protocols) {
      ProtocolShape shape = ProtocolShape.of(protocol, gone.getOrDefault(protocol, Set.of()));
      if (shapes.put(shape.name(), shape) != null) {
        throw new IllegalArgumentException(
            "two protocols are named \"%s\", one of them %s: give them lock files of their own"
                .formatted(shape.name(), protocol.getName()));
      }
    }
    return shapes;
  }

  private static void compare(
      Path lockFile, SortedMap<String, ProtocolShape> now, String text, boolean update)
      throws IOException {
    String locked = Files.readString(lockFile);
    LockComparison found = new LockComparison(LockFile.read(locked), now);
    if (!found.breaks().isEmpty()) {
      throw new AssertionError(
          "what is stored could not be read any more; see %s:%s"
              .formatted(lockFile, lines(found.breaks())));
    }
    if (!update && !text.equals(locked)) {
      throw new AssertionError(
          ("%s is not up to date; what is stored stays readable, but:%s\nIf that is intended, run this test with -D%s=update and commit the file.")
              .formatted(lockFile, lines(found.changes()), PROPERTY));
    }
  }

  private static String lines(List<String> texts) {
    return texts.isEmpty() ? " its text differs" : "\n- " + String.join("\n- ", texts);
  }
}
