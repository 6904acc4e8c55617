package io.callboard.workflows.definition;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Search for the patterns of a schema in the texts of one input, for a limited number of steps: a
 * character that is compared with a state is one. Counted is what a search takes at most, so that
 * the same input has the same verdict everywhere. Not thread-safe.
 */
final class PatternSearch {
  /** Maximum number of steps for one input, a few seconds at worst. */
  static final long MOST_STEPS = 200_000_000;

  /** Steps that a search takes for an empty text. */
  private static final int LEAST = 50;

  private final Map<String, SchemaPattern> patterns;
  private long steps;

  /**
   * Begins the search in an input.
   *
   * @param patterns those of the schema that are known, which others are added to
   */
  PatternSearch(ConcurrentHashMap<String, SchemaPattern> patterns) {
    this.patterns = patterns;
  }

  /** An input that cannot be checked; the message says why. */
  static final class Endless extends RuntimeException {
    private static final long serialVersionUID = 1;

    Endless() {
      super(
          "its texts and names take more than %,d steps of patterns: each search counts (characters + %d) × states of the pattern; repeat less in the patterns, or give fewer texts"
              .formatted(MOST_STEPS, LEAST));
    }
  }

  /**
   * Returns whether a text has a part that matches a pattern.
   *
   * @throws IllegalArgumentException if the pattern is none; the message says why
   */
  boolean isFoundIn(String text, String pattern) {
    SchemaPattern its = patterns.computeIfAbsent(pattern, SchemaPattern::of);
    spend((text.length() + LEAST) * (long) its.states());
    return its.isFoundIn(text);
  }

  /** Counts steps. */
  void spend(long more) {
    steps += more;
    if (steps > MOST_STEPS) {
      throw new Endless();
    }
  }
}
