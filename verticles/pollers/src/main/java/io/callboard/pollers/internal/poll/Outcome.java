package io.callboard.pollers.internal.poll;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Outcome of an attempt of a message, as far as it is known. */
public sealed interface Outcome {
  /**
   * Outcome of an attempt that is durable and has not ended.
   *
   * @param ref id of what it started; null for none yet
   * @param isTold whether its end is told
   */
  record Begun(@Nullable String ref, boolean isTold) implements Outcome {}

  /**
   * Outcome of an attempt that is durable, while its effect may still be refused. Ask again.
   *
   * @param why who decides, for people
   * @param isTrouble whether something is wrong, and it may take long
   */
  record Undecided(String why, boolean isTrouble) implements Outcome {}

  /**
   * Outcome of an attempt that ended well.
   *
   * @param ref id of what it started; null for none
   * @param outcome how it ended, in a word
   */
  record Succeeded(@Nullable String ref, String outcome) implements Outcome {}

  /**
   * Outcome of an attempt that failed; a further one may succeed.
   *
   * @param cause why, for people
   */
  record Failed(String cause) implements Outcome {}

  /**
   * Outcome of a message that cannot be done, and for which no further attempt would help.
   *
   * @param cause why, for people
   */
  record Hopeless(String cause) implements Outcome {}

  /**
   * Outcome of an attempt of which nothing is known to be durable; it must be tried later.
   *
   * @param reason of what kind it is
   * @param why why, for people
   * @param after time after which it may be tried again, at least
   */
  record Refused(Reason reason, String why, Duration after) implements Outcome {}

  /** Kind of a refusal. */
  enum Reason {
    /** A limit is reached. */
    OVERLOADED,
    /** Reason that what it should start does not exist. */
    MISSING,
    /** Reason that there was no answer: the outcome is unknown. */
    UNAVAILABLE
  }
}
