package io.callboard.workflows.definition;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rule by which the outputs of a step's sources become its merged input.
 *
 * @param kind kind of rule
 * @param name name of an own merger; empty for the other kinds
 */
public record MergeRule(Kind kind, String name) {
  /** Rule that merges nothing: each output stays under the id of its step. The default. */
  public static final MergeRule NAMESPACED = new MergeRule(Kind.NAMESPACED, "");

  /** Objects are merged deeply; two values for one place fail the step, which names both. */
  public static final MergeRule DISJOINT = new MergeRule(Kind.DISJOINT, "");

  /**
   * Objects are merged deeply; the source that is later in the topological order wins: the one on
   * the higher level, or the one declared later on the same level.
   */
  public static final MergeRule TOPO = new MergeRule(Kind.TOPO, "");

  /** Rules that a definition may name, for people. */
  static final String WORDS = "namespaced, disjoint, topo, merger:<name>";

  private static final String PREFIX = "merger:";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** Kind of rule. */
  public enum Kind {
    /** {@code namespaced}. */
    NAMESPACED,
    /** {@code disjoint}. */
    DISJOINT,
    /** {@code topo}. */
    TOPO,
    /** {@code merger:name}: code of the application. */
    OWN
  }

  /**
   * Returns the rule of an application's own merger.
   *
   * @throws IllegalArgumentException if that is no name of one
   */
  public static MergeRule own(String name) {
    return of(PREFIX + name)
        .orElseThrow(
            () -> new IllegalArgumentException("\"%s\" is no name of a merger".formatted(name)));
  }

  /** Parses a rule; empty if the text is not one. */
  public static Optional<MergeRule> of(String text) {
    return switch (text) {
      case "namespaced" -> Optional.of(NAMESPACED);
      case "disjoint" -> Optional.of(DISJOINT);
      case "topo" -> Optional.of(TOPO);
      default -> {
        String name = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "";
        yield NAME.matcher(name).matches()
            ? Optional.of(new MergeRule(Kind.OWN, name))
            : Optional.empty();
      }
    };
  }

  /** Returns the text of the rule in a definition. */
  public String text() {
    return switch (kind) {
      case NAMESPACED -> "namespaced";
      case DISJOINT -> "disjoint";
      case TOPO -> "topo";
      case OWN -> PREFIX + name;
    };
  }

  @Override
  public String toString() {
    return text();
  }
}
