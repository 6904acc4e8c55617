package io.callboard.internal.remote;

import io.callboard.admin.RemoteAdmin;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Question to a node, as it is sent.
 *
 * @param f format version
 * @param what what is asked, one of {@link What} in lower case; a node refuses what it does not
 *     know
 * @param path the actor or failure zone; null for {@code roll_up} and {@code contents}
 * @param by name of the node that asks
 * @param zones the failure zones of {@code contents}; null for all others
 * @param most maximum number of rows of each of these zones; null if there are none
 */
record Question(
    int f,
    String what,
    @Nullable String path,
    String by,
    @Nullable List<String> zones,
    @Nullable Integer most) {
  static final int FORMAT = 1;

  /** Maximum size in bytes: all zones that may be asked for, with long paths. */
  static final int MOST_BYTES = 8_192;

  private static final String ADDRESS = "callboard.admin.";

  /** Kind of a question. */
  enum What {
    ROLL_UP,
    FIND,
    RESTART,
    RESUME,
    SUSPEND,
    CONTENTS;

    /**
     * Returns whether all who ask share one reading, so that no number of them is too much: open
     * views ask again and again, and must not keep an operator from an action.
     */
    boolean isShared() {
      return this == ROLL_UP || this == CONTENTS;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Question of(What what, @Nullable String path, String by) {
    return new Question(FORMAT, what.word(), path, by, null, null);
  }

  static Question contents(List<String> zones, int most, String by) {
    return new Question(FORMAT, What.CONTENTS.word(), null, by, zones, most);
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
      if (f == FORMAT && each.word().equals(what)) {
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

  /**
   * Returns the failure zones, each once and in order, so that it is the same set for all who have
   * opened them one after the other, and how many rows of each.
   *
   * @throws IllegalArgumentException if one of both is missing or outside of its limits
   */
  ContentsReadings.Wanted wanted() {
    if (zones == null
        || zones.isEmpty()
        || zones.size() > RemoteAdmin.MOST_ZONES
        || zones.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException(
          "the question \"%.40s\" must name 1 to %d failure zones"
              .formatted(what, RemoteAdmin.MOST_ZONES));
    }
    if (most == null || most < 1 || most > RemoteAdmin.MOST_CHILDREN) {
      throw new IllegalArgumentException(
          "the question \"%.40s\" must ask for 1 to %d rows of each failure zone"
              .formatted(what, RemoteAdmin.MOST_CHILDREN));
    }
    return new ContentsReadings.Wanted(zones.stream().distinct().sorted().toList(), most);
  }
}
