package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.StepDecision;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides what follows from what happens to an instance; emits events through its progress. */
@Machine
public final class InstanceMachine {
  /** Maximum number of events that a turn emits for decisions; {@link TurnSize} has others. */
  public static final int MOST_EVENTS = 400;

  /** Maximum number of open steps of an instance; further ready ones wait. */
  public static final int MOST_OPEN = 1_000;

  /** Maximum number of runs of a step that are lost until it fails. */
  public static final int MOST_LOST = 20;

  private final RandomGenerator random;
  private final Compensations undo;

  /** Creates a machine that draws pauses and ids from a generator. */
  public InstanceMachine(RandomGenerator random) {
    this.random = random;
    this.undo = new Compensations(this);
  }

  /** Creates an instance. */
  public InstanceProgress create(
      CheckedDefinition definition, StepInputs inputs, InstanceSpec spec) {
    InstanceProgress its = InstanceProgress.created(definition, inputs, spec);
    go(its, spec.createdAt());
    return its;
  }

  /** Creates an instance that begins when {@link #goOn} is called first. */
  public static InstanceProgress hold(
      CheckedDefinition definition, StepInputs inputs, InstanceSpec spec) {
    return InstanceProgress.created(definition, inputs, spec);
  }

  /** Goes on with decisions that were left, and starts attempts that are due. */
  public void goOn(InstanceProgress its, Instant now) {
    for (OpenRun each : its.open()) {
      boolean due = each.dueAt() != null && !each.dueAt().isAfter(now);
      if (due && !its.isAborting(each.step()) && !its.isFull()) {
        start(its, each.step(), each.attempt() + 1, null, now);
      }
    }
    giveUp(its, now);
    go(its, now);
  }

  /** Goes on without runs that have not ended in the time that a forced end gives them. */
  private void giveUp(InstanceProgress its, Instant now) {
    for (OpenRun each : its.open()) {
      Instant limit = each.dueAt() == null ? ForcedEnd.limit(its.data(), each) : null;
      if (limit != null && !limit.isAfter(now) && !its.isFull()) {
        StepOutcome givenUp = ForcedEnd.givenUp(its.data(), each, now);
        settle(its, each, StepState.CANCELLED, givenUp, null, null, now);
      }
    }
  }

  /**
   * Begins the runs anew that were requested before the instance was restored; to be called before
   * anything else is decided. Of those that were to be cancelled nothing is asked any more.
   */
  public void renew(InstanceProgress its, Instant now) {
    for (OpenRun each : its.ofEarlierLife()) {
      if (its.isFull()) {
        return; // the next turn begins with the others
      } else if (its.isAborting(each.step())) {
        String why = "it was being cancelled at the event to which the instance was restored";
        settle(its, each, StepState.CANCELLED, StepOutcome.cancelled(why), null, null, now);
      } else {
        its.forsake(each);
        start(its, each.step(), each.attempt(), null, now);
      }
    }
  }

  /** Processes the end of a run; ignored unless it is the present run of its step. */
  public void done(
      InstanceProgress its,
      String id,
      int run,
      StepOutcome outcome,
      @Nullable String worker,
      @Nullable String child,
      Instant now) {
    OpenRun open = present(its, id, run);
    if (open == null) {
      return;
    }
    int step = open.step();
    StepOutcome checked =
        outcome.kind() == StepOutcome.Kind.SUCCEEDED && !open.undo()
            ? OutputCheck.checked(its.data(), its.id(step), outcome)
            : outcome;
    boolean aborting = its.isAborting(step);
    if (checked.kind() == StepOutcome.Kind.SUCCEEDED) {
      settle(its, open, StepState.SUCCEEDED, checked, worker, child, now);
    } else if (aborting) {
      settle(its, open, StepState.CANCELLED, checked, worker, child, now);
    } else if (checked.mayRetry() && open.attempt() < TreeLimits.attempts(its, step)) {
      retry(its, open, checked, worker, now);
    } else {
      StepOutcome last = TreeLimits.last(its, open, checked);
      settle(its, open, StepState.FAILED, last, worker, child, now);
    }
    go(its, now);
  }

  private static @Nullable OpenRun present(InstanceProgress its, String id, int run) {
    int step = its.definition().graph().index(id).orElse(-1);
    OpenRun open = step < 0 ? null : its.open(step);
    return open == null || open.run() != run || open.dueAt() != null || its.isOfEarlierLife(open)
        ? null
        : open;
  }

  private void retry(
      InstanceProgress its,
      OpenRun open,
      StepOutcome outcome,
      @Nullable String worker,
      Instant now) {
    Duration pause =
        RetryDelay.after(its.definition().step(open.step()).retry(), open.attempt(), random);
    its.emit(
        open.step(),
        new InstanceEvent.StepRetries(
            open.id(), open.run(), now.plus(pause), text(outcome), worker, now));
    its.await(open.step());
  }

  static String text(StepOutcome outcome) {
    if (outcome.error() != null) {
      return outcome.error();
    }
    return switch (outcome.kind()) {
      case SUCCEEDED -> "";
      case FAILED -> "it failed";
      case TIMEOUT -> "it was over its timeout";
      case CANCELLED -> "it was cancelled";
    };
  }

  void settle(
      InstanceProgress its,
      OpenRun open,
      StepState state,
      StepOutcome outcome,
      @Nullable String worker,
      @Nullable String child,
      Instant now) {
    boolean success = state == StepState.SUCCEEDED;
    boolean kept = success && !open.undo();
    its.emit(
        open.step(),
        new InstanceEvent.StepEnded(
            open.id(),
            open.run(),
            state,
            kept ? outcome.output() : null,
            kept ? OutputCheck.bytes(outcome.output()) : 0,
            success ? null : text(outcome),
            worker,
            child,
            now,
            kept ? outcome.blob() : null,
            null));
    its.close(open.step());
    if (!open.undo()) {
      put(its, open.step(), state);
    }
  }

  private static void put(InstanceProgress its, int step, StepState state) {
    if (!its.run().put(step, state)) {
      throw new IllegalStateException("step %s was settled twice".formatted(its.id(step)));
    }
    its.decide();
  }

  /** Processes the loss of a run, which begins again unless too many were lost. */
  public void lost(InstanceProgress its, String id, int run, String cause, Instant now) {
    OpenRun open = present(its, id, run);
    if (open == null) {
      return;
    }
    StepRecord record = its.record(open.step());
    int lost = (record.undo() == null ? record.lost() : record.undo().lost()) + 1;
    if (its.isAborting(open.step())) {
      settle(its, open, StepState.CANCELLED, StepOutcome.cancelled(cause), null, null, now);
    } else if (lost > MOST_LOST) {
      String error = "%d runs of it were lost, the last one because %s".formatted(lost, cause);
      settle(its, open, StepState.FAILED, StepOutcome.failedForGood(error), null, null, now);
    } else {
      its.emit(open.step(), new InstanceEvent.StepLost(open.id(), run, cause, now));
      its.close(open.step());
      start(its, open.step(), open.attempt(), null, now);
    }
    go(its, now);
  }

  /**
   * Cancels open runs, and lets only the finally steps start from now on. A timeout after the end
   * of all other steps does nothing: they were in time.
   */
  public void stop(InstanceProgress its, InstanceStop cause, Instant now) {
    boolean inTime = cause == InstanceStop.TIMEOUT && its.run().hasOnlyLast();
    if (!inTime
        && its.data().stop() == null
        && its.data().outcome() == null
        && its.data().undoing() == null) {
      its.emit(new InstanceEvent.Stopped(cause, now));
      its.run().cancel();
      its.decide();
      go(its, now);
    }
  }

  /**
   * Cancels for a user: open runs, or by force all that is left, finally steps and compensation,
   * too; runs that have not ended after {@link ForcedEnd#PATIENCE} are given up. One that has
   * ended, or is forced already, does not change; if it has not ended, what is open is asked to end
   * once more: a node of an older version may have a sub-workflow, and know no force.
   *
   * @param forcedBy who forces that; null for nobody
   */
  public void cancel(InstanceProgress its, @Nullable String forcedBy, Instant now) {
    if (forcedBy == null) {
      stop(its, InstanceStop.CANCEL, now);
    } else if (its.data().outcome() == null) {
      if (its.data().forcedBy() == null || its.data().forcedAt() == null) {
        force(its, forcedBy, now);
      }
      its.force();
      go(its, now);
    }
  }

  private static void force(InstanceProgress its, String by, Instant now) {
    if (its.data().stop() == null && its.data().undoing() == null) {
      its.emit(new InstanceEvent.Stopped(InstanceStop.CANCEL, now));
    }
    its.emit(new InstanceEvent.Forced(ForcedEnd.name(by), now));
  }

  /** Reopens steps of an instance that has ended. */
  public void reopen(InstanceProgress its, Reopening reopening, Instant now) {
    its.emit(
        InstanceEvent.Reopened.of(reopening.from(), reopening.steps(), its.data().steps(), now));
    its.reopen();
    go(its, now);
  }

  /** Carries out decisions of the graph, as many as a turn may hold. */
  private void go(InstanceProgress its, Instant now) {
    if (its.data().outcome() != null) {
      return;
    }
    while (!its.pending().isEmpty() && !its.isFull()) {
      StepDecision decision = its.pending().element();
      if (decision instanceof StepDecision.Ready && its.openCount() >= MOST_OPEN) {
        break;
      }
      its.pending().remove();
      carryOut(its, decision, now);
    }
    undo.forsakeIfForced(its, now);
    if (its.pending().isEmpty() && its.openCount() == 0) {
      its.run().outcome().ifPresent(outcome -> undo.end(its, outcome, now));
    }
  }

  private void carryOut(InstanceProgress its, StepDecision decision, Instant now) {
    int step = decision.step();
    if (decision instanceof StepDecision.Ready ready) {
      if (its.run().state(step) == StepState.READY) {
        begin(its, step, winner(ready.winner()), now);
      }
    } else if (decision instanceof StepDecision.Skip skip) {
      int edge = skip.reason().edge();
      StepState source =
          edge < 0
              ? StepState.PENDING
              : its.data()
                  .steps()
                  .get(its.definition().graph().step(step).after().get(edge).from())
                  .state();
      String reason = skip.reason().text(its.definition().graph().step(step), source);
      its.emit(
          step,
          new InstanceEvent.StepSkipped(
              its.id(step), StepState.SKIPPED, reason, now, winner(skip.winner())));
    } else if (decision instanceof StepDecision.Drop) {
      drop(its, step, now);
    } else {
      abort(its, step, now);
    }
  }

  private static @Nullable Integer winner(int edge) {
    return edge < 0 ? null : edge;
  }

  private static void drop(InstanceProgress its, int step, Instant now) {
    String reason = ForcedEnd.reasonOfStep(its, step);
    its.emit(
        step,
        new InstanceEvent.StepSkipped(
            its.id(step), StepState.CANCELLED, reason, now, winner(its.run().winner(step))));
  }

  private void abort(InstanceProgress its, int step, Instant now) {
    OpenRun open = its.open(step);
    if (open == null && its.run().state(step) == StepState.READY) { // its run has not begun
      drop(its, step, now);
      put(its, step, StepState.CANCELLED);
    } else if (open != null && open.dueAt() != null) {
      settle(
          its, open, StepState.CANCELLED, StepOutcome.cancelled(ForcedEnd.WAITED), null, null, now);
    }
  }

  private void begin(InstanceProgress its, int step, @Nullable Integer winner, Instant now) {
    Optional<String> conflict =
        its.inputs().conflict(step, its.data(), winner == null ? -1 : winner);
    if (conflict.isEmpty()) {
      start(its, step, 1, winner, now);
    } else {
      its.emit(
          step,
          new InstanceEvent.StepEnded(
              its.id(step),
              0,
              StepState.FAILED,
              null,
              0,
              conflict.get(),
              null,
              null,
              now,
              null,
              winner));
      put(its, step, StepState.FAILED);
    }
  }

  /**
   * Starts the next run of a step, or of its compensation; a run that nobody can carry out fails at
   * once.
   */
  void start(InstanceProgress its, int step, int attempt, @Nullable Integer winner, Instant now) {
    StepRun what = its.definition().step(step).run(its.data().undoing() != null);
    String child = what.kind() == StepRun.Kind.SUBWORKFLOW ? InstanceIds.next(now, random) : null;
    int run = Math.max(its.record(step).run(), its.data().runsBefore()) + 1;
    its.start(step, new InstanceEvent.StepStarted(its.id(step), run, attempt, winner, child, now));
    String refusal = RunCheck.refusal(its, step);
    if (refusal != null) {
      StepOutcome failed = StepOutcome.failedForGood(refusal);
      settle(its, started(its, step), StepState.FAILED, failed, null, null, now);
    }
  }

  private static OpenRun started(InstanceProgress its, int step) {
    return Objects.requireNonNull(its.open(step), "no run of it has started");
  }

  /** Ends the instance. */
  static void end(
      InstanceProgress its, InstanceOutcome outcome, @Nullable String reason, Instant now) {
    its.emit(new InstanceEvent.Ended(outcome, reason, now));
  }
}
