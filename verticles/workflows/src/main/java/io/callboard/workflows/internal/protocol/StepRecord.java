package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.BlobRef;
import io.callboard.workflows.graph.StepState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Durable state of one step of an instance.
 *
 * @param state its state; RUNNING from the event that starts a run, wherever that is
 * @param run number of its last run, 0 for none: never reused, over all attempts, rounds and its
 *     compensation; not without gaps ({@link InstanceData#restored})
 * @param attempt number of its last attempt in this round, 0 for none
 * @param lost number of its runs in this round that were lost
 * @param startedAt start of the first attempt of this round; null before
 * @param endedAt when it was settled; null before
 * @param dueAt when its next attempt begins; null unless it waits for that
 * @param output its output; null unless it succeeded, or if that is by reference
 * @param bytes size of {@code output} as JSON
 * @param reason why it was skipped, failed or is retried; null for none
 * @param worker worker of its last run that has ended; null for none
 * @param child id of the job or instance of its last run; null for none, or if it is not known
 * @param winner position of the edge that was first, with {@code join: any}; null otherwise
 * @param undo its compensation; null if that has not begun
 * @param blob where its large output is; null for none
 */
public record StepRecord(
    StepState state,
    int run,
    int attempt,
    int lost,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant dueAt,
    @Nullable JsonNode output,
    int bytes,
    @Nullable String reason,
    @Nullable String worker,
    @Nullable String child,
    @Nullable Integer winner,
    @Nullable StepUndo undo,
    @Nullable BlobRef blob) {
  /** State of a step to which nothing has happened. */
  public static final StepRecord PENDING = pending(0);

  /** Returns the state of a step that is to begin, after so many runs in earlier rounds. */
  public static StepRecord pending(int runs) {
    return new StepRecord(
        StepState.PENDING,
        runs,
        0,
        0,
        null,
        null,
        null,
        null,
        0,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** Returns whether a run of the step, or of its compensation, has begun and is not settled. */
  // written only: without this it would be read as a field of a newer version
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean isOpen() {
    return state.isOpen() || (undo != null && undo.state().isOpen());
  }

  /**
   * Returns whether that run of the step is open: it has not been settled, and no later one was.
   */
  public boolean isOpen(int itsRun) {
    Instant due = undo == null ? dueAt : undo.dueAt();
    return isOpen() && run == itsRun && due == null;
  }

  /** Returns the same with another compensation. */
  public StepRecord with(int itsRun, StepUndo itsUndo, @Nullable String itsChild) {
    return new StepRecord(
        state, itsRun, attempt, lost, startedAt, endedAt, dueAt, output, bytes, reason, worker,
        itsChild, winner, itsUndo, blob);
  }
}
