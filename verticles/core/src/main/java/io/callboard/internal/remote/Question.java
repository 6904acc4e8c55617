package io.callboard.internal.remote;

import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Question to a node, as it is sent.
 *
 * @param f format version
 * @param what what is asked, one of {@link What} in lower case; a node refuses what it does not
 *     know
 * @param path the actor or failure zone; null for {@code roll_up}
 * @param by name of the node that asks
 */
record Question(int f, String what, @Nullable String path, String by) {
  static final int FORMAT = 1;

  /** Maximum size in bytes. */
  static final int MOST_BYTES = 4_096;

  private static final String ADDRESS = "callboard.admin.";

  /** What can be asked. */
  enum What {
    ROLL_UP,
    FIND,
    RESTART,
    RESUME,
    SUSPEND
  }

  static Question of(What what, @Nullable String path, String by) {
    return new Question(FORMAT, what.name().toLowerCase(Locale.ROOT), path, by);
  }

  /** Returns the address of the node of that boot id. */
  static String address(String boot) {
    return ADDRESS + boot;
  }

  /**
   * Reads a question.
   *
   * @throws CodecException if it is no JSON, or not of that form
   * @throws IllegalArgumentException if it is too large
   */
  static Question read(byte[] bytes) {
    if (bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a question has %d bytes, of at most %d".formatted(bytes.length, MOST_BYTES));
    }
    return Json.read("a question", bytes, Question.class);
  }

  /**
   * Returns what is asked.
   *
   * @throws IllegalArgumentException if this node does not know it
   */
  What asked() {
    for (What each : What.values()) {
      if (f == FORMAT && each.name().toLowerCase(Locale.ROOT).equals(what)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "this version does not know the question \"%.40s\" of format %d".formatted(what, f));
  }

  /**
   * Returns the path.
   *
   * @throws IllegalArgumentException if it is missing
   */
  String where() {
    if (path == null) {
      throw new IllegalArgumentException("the question \"%.40s\" names no path".formatted(what));
    }
    return path;
  }
}
