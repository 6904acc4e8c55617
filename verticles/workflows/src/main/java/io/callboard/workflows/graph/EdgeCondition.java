package io.callboard.workflows.graph;

import java.util.Locale;
import java.util.Optional;

/** Condition of an edge: which settlements of its source satisfy it. */
public enum EdgeCondition {
  /** The source succeeded. */
  SUCCESS,
  /** The source failed. */
  FAILURE,
  /** The source is settled, in whatever way; for cleanups. */
  ANY,
  /** The source succeeded or was skipped; for joins behind a branch. */
  OK;

  /** Returns the condition of a word of a definition; empty if there is none. */
  public static Optional<EdgeCondition> of(String word) {
    for (EdgeCondition each : values()) {
      if (each.word().equals(word)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** Returns the word of the condition in a definition, in lower case. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether a source in that state satisfies the condition.
   *
   * @throws IllegalArgumentException if that is no settlement
   */
  public boolean isSatisfiedBy(StepState settled) {
    if (!settled.isSettled()) {
      throw new IllegalArgumentException(settled + " is no settlement");
    }
    return switch (this) {
      case SUCCESS -> settled == StepState.SUCCEEDED;
      case FAILURE -> settled == StepState.FAILED;
      case ANY -> true;
      case OK -> settled == StepState.SUCCEEDED || settled == StepState.SKIPPED;
    };
  }
}
