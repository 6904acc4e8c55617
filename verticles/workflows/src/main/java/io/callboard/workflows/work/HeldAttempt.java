package io.callboard.workflows.work;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.protocol.HeldRun;
import io.callboard.workflows.protocol.StepOutcome;
import io.callboard.workflows.protocol.StepRequest;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Run that a worker holds: alive, or ended and not known to its instance yet. */
final class HeldAttempt {
  /** Order by the time at which something is due. */
  static final Comparator<HeldAttempt> BY_DUE =
      Comparator.<HeldAttempt>comparingLong(held -> held.dueNs)
          .thenComparing(held -> held.request.key());

  /** The run. */
  final StepRequest request;

  /** Number of its last assignment. */
  long number;

  /** Zone of handlers whose slots it takes; null for one of the worker's own slots. */
  @Nullable String zone;

  /** What it waits for although it has a slot; null if its code was called, or it is not known. */
  @Nullable String waits;

  /** Why it is to end; null while it is not. */
  @Nullable Ending ending;

  /** Whether its attempt was stopped. */
  boolean stopped;

  /** How it ended; null while it is alive. */
  @Nullable StepOutcome outcome;

  /** Number of its reports that failed. */
  int failedReports;

  /** Last heartbeat of its handler; null for none. */
  @Nullable JsonNode heartbeat;

  /** When something is due for it; meaningful while {@link #due}. */
  long dueNs;

  /** Whether something is due for it. */
  boolean due;

  /** Why a run is to end. */
  enum Ending {
    /** It was cancelled. */
    CANCELLED,
    /** It has run longer than its timeout. */
    TIMEOUT,
    /** Its node has lost its session, so that others may take it for dead. */
    FENCED
  }

  /** Creates a run that is alive. */
  HeldAttempt(StepRequest request, long number, @Nullable String zone) {
    this.request = request;
    this.number = number;
    this.zone = zone;
  }

  /** Returns whether it has not ended. */
  boolean isAlive() {
    return outcome == null;
  }

  /** Returns it for the desk. */
  HeldRun view() {
    return new HeldRun(
        request.key(),
        request.node(),
        request.definition(),
        request.type(),
        !isAlive(),
        heartbeat,
        zone,
        waits);
  }
}
