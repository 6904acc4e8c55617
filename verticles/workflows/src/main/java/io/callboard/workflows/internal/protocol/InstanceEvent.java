package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.BlobRef;
import io.callboard.supervision.Causes;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.StepState;
import java.time.Instant;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Events of an instance. Reasons in them are cut to {@link StepOutcome#MOST_ERROR}. Those of steps
 * concern the compensations of steps from {@link UndoBegan} until the instance has ended.
 */
public sealed interface InstanceEvent {
  /** Returns the time of the event, by the clock of the instance's node. */
  Instant at();

  /**
   * The instance was created.
   *
   * @param spec what with
   */
  record Created(InstanceSpec spec) implements InstanceEvent {
    @Override
    public Instant at() {
      return spec.createdAt();
    }
  }

  /**
   * A run of a step began: it is requested from now on.
   *
   * @param step id of the step
   * @param run number of the run
   * @param attempt number of the attempt
   * @param winner position of the edge that was first, with {@code join: any}; null otherwise
   * @param child id of the instance that runs a sub-workflow; null otherwise
   */
  record StepStarted(
      String step,
      int run,
      int attempt,
      @Nullable Integer winner,
      @Nullable String child,
      Instant at)
      implements InstanceEvent {}

  /**
   * An attempt of a step failed, and another one follows.
   *
   * @param step id of the step
   * @param run number of the run
   * @param dueAt when the next attempt begins
   * @param error why this one failed
   * @param worker worker that ran it; null for none
   */
  record StepRetries(
      String step, int run, Instant dueAt, String error, @Nullable String worker, Instant at)
      implements InstanceEvent {
    /** Cuts the error. */
    public StepRetries {
      error = Causes.cut(error, StepOutcome.MOST_ERROR);
    }
  }

  /**
   * A run of a step was lost; another one of the same attempt follows.
   *
   * @param step id of the step
   * @param run number of the run
   * @param cause why, for people
   */
  record StepLost(String step, int run, String cause, Instant at) implements InstanceEvent {
    /** Cuts the cause. */
    public StepLost {
      cause = Causes.cut(cause, StepOutcome.MOST_ERROR);
    }
  }

  /**
   * A step that was ready is settled.
   *
   * @param step id of the step
   * @param run number of its last run; 0 if it could not begin
   * @param state SUCCEEDED, FAILED or CANCELLED
   * @param output its output; null unless it succeeded, or if that is by reference
   * @param bytes size of {@code output} as JSON
   * @param error why it did not succeed; null if it did
   * @param worker worker that ran it; null for none
   * @param child id of the job that ran it; null for none
   * @param blob where its large output is; null for none
   * @param winner position of the edge that was first, if it could not begin, with {@code join:
   *     any}; null otherwise
   */
  record StepEnded(
      String step,
      int run,
      StepState state,
      @Nullable JsonNode output,
      int bytes,
      @Nullable String error,
      @Nullable String worker,
      @Nullable String child,
      Instant at,
      @Nullable BlobRef blob,
      @Nullable Integer winner)
      implements InstanceEvent {
    /** Cuts the error. */
    public StepEnded {
      error = StepOutcome.cut(error);
    }
  }

  /**
   * A step was settled without having been ready.
   *
   * @param step id of the step
   * @param state SKIPPED or CANCELLED
   * @param reason why it was skipped, or cancelled though it is a finally step; null otherwise
   * @param winner position of the edge that was first, if one was satisfied, with {@code join:
   *     any}; null otherwise
   */
  record StepSkipped(
      String step, StepState state, @Nullable String reason, Instant at, @Nullable Integer winner)
      implements InstanceEvent {}

  /**
   * The instance is to end before its steps have.
   *
   * @param cause why
   */
  record Stopped(InstanceStop cause, Instant at) implements InstanceEvent {}

  /**
   * The instance is to end without its finally steps and its compensation, of which open runs are
   * cancelled.
   *
   * @param by who wants that, for people
   */
  record Forced(String by, Instant at) implements InstanceEvent {}

  /**
   * All steps are settled, and those that succeeded are undone now.
   *
   * @param outcome outcome to which that leads
   * @param reason why the instance failed or was cancelled
   */
  record UndoBegan(InstanceOutcome outcome, @Nullable String reason, Instant at)
      implements InstanceEvent {
    /** Cuts the reason. */
    public UndoBegan {
      reason = StepOutcome.cut(reason);
    }
  }

  /**
   * The instance ended.
   *
   * @param outcome its outcome
   * @param reason why it failed or was cancelled; null for none
   */
  record Ended(InstanceOutcome outcome, @Nullable String reason, Instant at)
      implements InstanceEvent {
    /** Cuts the reason. */
    public Ended {
      reason = StepOutcome.cut(reason);
    }
  }

  /**
   * The instance was opened again: steps of it begin anew.
   *
   * @param from step from which it is run again; null for a retry
   * @param steps ids of the steps that begin anew
   * @param places the same instead of the ids, if those are too long for an event: a bit for each
   *     step of the instance, in the order of {@link StepTable#asMap}, in base64; null otherwise
   */
  record Reopened(@Nullable String from, List<String> steps, Instant at, @Nullable String places)
      implements InstanceEvent {
    private static final int MOST_IDS = 64 * 1024;

    /** Copies the list. */
    public Reopened {
      steps = List.copyOf(steps);
    }

    /** Returns the event of an instance with that table. */
    public static Reopened of(
        @Nullable String from, List<String> steps, StepTable table, Instant at) {
      if (steps.stream().mapToLong(String::length).sum() <= MOST_IDS) {
        return new Reopened(from, steps, at, null);
      }
      BitSet places = new BitSet();
      Set<String> again = new HashSet<>(steps);
      int place = 0;
      for (String id : table.asMap().keySet()) {
        places.set(place++, again.contains(id));
      }
      String text = Base64.getEncoder().encodeToString(places.toByteArray());
      return new Reopened(from, List.of(), at, text);
    }

    /** Returns the ids of the steps that begin anew, of an instance with that table. */
    public List<String> steps(StepTable table) {
      if (places == null) {
        return steps;
      }
      BitSet set = BitSet.valueOf(Base64.getDecoder().decode(places));
      List<String> ids = List.copyOf(table.asMap().keySet());
      return set.stream().mapToObj(ids::get).toList();
    }
  }
}
