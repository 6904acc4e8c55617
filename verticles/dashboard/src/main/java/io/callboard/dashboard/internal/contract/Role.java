package io.callboard.dashboard.internal.contract;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Role of a caller, each with the rights of those before it; an operation names the one it needs.
 */
public enum Role {
  /** Role of a caller who is not known: may log in, and ask whether the node lives. */
  ANYONE,
  /** May read everything but the contents of messages. */
  VIEWER,
  /** May act on jobs, workflows, sources and actors. */
  OPERATOR,
  /** May do everything, and read the contents of messages. */
  ADMIN;

  /** Returns the roles that a user can have. */
  public static List<Role> ofUsers() {
    return List.of(VIEWER, OPERATOR, ADMIN);
  }

  /** Returns the word for the role in files and answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether the role has the rights of {@code needed}. */
  public boolean includes(Role needed) {
    return ordinal() >= needed.ordinal();
  }

  /**
   * Returns the role of a user that has this word.
   *
   * @throws IllegalArgumentException with the words that there are
   */
  public static Role ofUser(String word) {
    return ofUsers().stream()
        .filter(role -> role.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a role is viewer, operator or admin, not " + IsoText.quoted(word)));
  }

  /**
   * Returns the role that an operation of the contract names.
   *
   * @throws IllegalStateException if it names none
   */
  static Role ofOperation(String operation, String word) {
    return Stream.of(values())
        .filter(role -> role.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "operation %s of the contract needs an x-role: anyone, viewer, operator or admin, not \"%s\""
                        .formatted(operation, word)));
  }
}
