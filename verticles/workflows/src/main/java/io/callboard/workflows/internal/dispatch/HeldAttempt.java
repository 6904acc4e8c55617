package io.callboard.workflows.internal.dispatch;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.internal.protocol.HeldRun;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.zone.ZoneDefaults;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Run that a worker holds: alive, or ended while its instance does not know yet. */
final class HeldAttempt {
  /** Order by the time at which something is due. */
  static final Comparator<HeldAttempt> BY_DUE =
      Comparator.<HeldAttempt>comparingLong(held -> held.dueNs)
          .thenComparing(held -> held.request.key());

  /** The run. */
  final StepRequest request;

  /** Epoch of the desk of its last assignment. */
  long epoch;

  /** Number of its last assignment, among those of that desk. */
  long number;

  /** Zone of handlers whose slots it takes; null for one of the worker's own slots. */
  @Nullable String zone;

  /**
   * Reason why it waits although it has a slot; null if its code was called, or it is not known.
   */
  @Nullable String waits;

  /** Why it is to end; null while it is not. */
  @Nullable Ending ending;

  /** Whether its instance is asked whether it is open: it begins with the answer. */
  boolean asks;

  /** Number of questions to its instance. */
  int asked;

  /** Whether its attempt was stopped. */
  boolean stopped;

  /** Outcome of the attempt; null while it is alive. */
  @Nullable StepOutcome outcome;

  /** Number of its reports that failed. */
  int failedReports;

  private @Nullable JsonNode heartbeat;
  private @Nullable Instant heartbeatAt;

  /** When something is due for it; meaningful while {@link #due}. */
  long dueNs;

  /** Whether something is due for it. */
  boolean due;

  /** Reason why a run is to end. */
  enum Ending {
    /** Reason of an attempt that was cancelled. */
    CANCELLED,
    /** Reason of an attempt that has run longer than its timeout. */
    TIMEOUT,
    /**
     * Reason of an attempt whose node has lost its session, so that others may take it for dead.
     */
    FENCED
  }

  /** Creates a run that is alive. */
  HeldAttempt(StepRequest request, long epoch, long number, @Nullable String zone) {
    this.request = request;
    this.epoch = epoch;
    this.number = number;
    this.zone = zone;
  }

  /** Records the last heartbeat of the run's handler, and when it came. */
  void beats(JsonNode state, Instant at) {
    heartbeat = state;
    heartbeatAt = at;
  }

  /** Returns whether the run has not ended. */
  boolean isAlive() {
    return outcome == null;
  }

  /** Returns the outcome of the run, from that of its attempt. */
  StepOutcome ended(StepOutcome attempt) {
    if (ending == Ending.TIMEOUT) {
      return StepOutcome.overTime(request.timeout());
    }
    return ending == Ending.CANCELLED ? attempt.inSpiteOfCancellation() : attempt;
  }

  /**
   * Returns the outcome of a run that is to end and whose code was not called.
   *
   * @param in zone of handlers that had no thread for it; null for that of the steps
   */
  StepOutcome neverBegan(@Nullable String in) {
    return ending == Ending.TIMEOUT
        ? StepOutcome.timeout(
            "it got no thread of zone %s within its timeout, %s"
                .formatted(in == null ? ZoneDefaults.STEPS : in, request.timeout()))
        : StepOutcome.cancelled("it had not begun");
  }

  /** Returns the run in the form in which the desk hears of it. */
  HeldRun view() {
    return new HeldRun(
        request.key(),
        request.node(),
        request.definition(),
        request.type(),
        !isAlive(),
        heartbeat,
        zone,
        waits,
        heartbeatAt);
  }
}
