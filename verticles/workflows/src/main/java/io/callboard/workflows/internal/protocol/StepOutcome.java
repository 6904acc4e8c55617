package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.callboard.codecs.BlobRef;
import io.callboard.supervision.Causes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a run that has ended.
 *
 * @param kind how it ended
 * @param output what it returned; null unless it succeeded, or if that is by reference
 * @param error why it did not succeed, for people; null if it did
 * @param retryable false if another attempt must end the same; null for true
 * @param blob where a large output is that it returned; null for none
 */
public record StepOutcome(
    Kind kind,
    @Nullable JsonNode output,
    @Nullable String error,
    @Nullable Boolean retryable,
    @Nullable BlobRef blob) {
  /** Maximum number of characters of an error; the middle is cut: its root cause is at its end. */
  public static final int MOST_ERROR = 2_000;

  /** Kind of the end of a run. */
  public enum Kind {
    /** Outcome of a run that returned an output. */
    SUCCEEDED,
    /** Outcome of a run that failed; retried if the step has attempts left. */
    FAILED,
    /** Outcome of a run that ran longer than the timeout of the step; retried like a failure. */
    TIMEOUT,
    /** Outcome of a run that ended because it was cancelled. */
    CANCELLED
  }

  /** Cuts the error. */
  public StepOutcome {
    error = cut(error);
  }

  /** Cuts a reason to the limit of an error. */
  static @Nullable String cut(@Nullable String reason) {
    return reason == null ? null : Causes.cut(reason, MOST_ERROR);
  }

  /** Creates a success. */
  public static StepOutcome succeeded(@Nullable JsonNode output) {
    JsonNode its = output == null ? NullNode.instance : output;
    return new StepOutcome(Kind.SUCCEEDED, its, null, null, null);
  }

  /** Creates a success whose output is by reference. */
  public static StepOutcome stored(BlobRef blob) {
    return new StepOutcome(Kind.SUCCEEDED, null, null, null, blob);
  }

  /** Creates a failure that is retried if attempts are left. */
  public static StepOutcome failed(String error) {
    return new StepOutcome(Kind.FAILED, null, error, null, null);
  }

  /** Creates a failure that another attempt would only repeat. */
  public static StepOutcome failedForGood(String error) {
    return new StepOutcome(Kind.FAILED, null, error, false, null);
  }

  /** Creates the outcome of a run that was over its timeout. */
  public static StepOutcome timeout(String error) {
    return new StepOutcome(Kind.TIMEOUT, null, error, null, null);
  }

  /** Creates the outcome of a run that was over this timeout. */
  public static StepOutcome overTime(@Nullable Duration timeout) {
    return timeout("it ran longer than its timeout, " + timeout);
  }

  /**
   * Returns this outcome of code as that of its run, which was cancelled meanwhile. A success that
   * came in spite of that is one: what was done must be known.
   */
  public StepOutcome inSpiteOfCancellation() {
    return kind == Kind.SUCCEEDED || kind == Kind.CANCELLED
        ? this
        : cancelled("it was cancelled, and ended with: " + error);
  }

  /** Creates the outcome of a run that was cancelled. */
  public static StepOutcome cancelled(String error) {
    return new StepOutcome(Kind.CANCELLED, null, error, null, null);
  }

  /** Returns whether another attempt may end otherwise. */
  public boolean mayRetry() {
    return (kind == Kind.FAILED || kind == Kind.TIMEOUT) && !Boolean.FALSE.equals(retryable);
  }
}
