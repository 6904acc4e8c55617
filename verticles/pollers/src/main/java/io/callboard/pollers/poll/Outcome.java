package io.callboard.pollers.poll;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is known of an attempt of a message. */
public sealed interface Outcome {
  /**
   * It is durable and has not ended.
   *
   * @param ref id of what it started; null for none yet
   * @param isTold whether its end is told
   */
  record Begun(@Nullable String ref, boolean isTold) implements Outcome {}

  /**
   * It is durable, but what it starts is not decided yet: it may still be refused. Ask again.
   *
   * @param why who decides, for people
   * @param isTrouble whether something is wrong, and it may take long
   */
  record Undecided(String why, boolean isTrouble) implements Outcome {}

  /**
   * It ended well.
   *
   * @param ref id of what it started; null for none
   * @param outcome how it ended, in a word
   */
  record Succeeded(@Nullable String ref, String outcome) implements Outcome {}

  /**
   * It failed; a further attempt may succeed.
   *
   * @param cause why, for people
   */
  record Failed(String cause) implements Outcome {}

  /**
   * The message cannot be done, and no further attempt would help.
   *
   * @param cause why, for people
   */
  record Hopeless(String cause) implements Outcome {}

  /**
   * Nothing is known to be durable, and it must be tried later.
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
    /** What it should start does not exist. */
    MISSING,
    /** There was no answer: the outcome is unknown. */
    UNAVAILABLE
  }
}
