package io.callboard.workflows.internal.instance;

import io.callboard.time.Machine;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.StepRecord;
import io.callboard.workflows.internal.protocol.StepTable;
import io.callboard.workflows.internal.protocol.StepUndo;
import io.callboard.workflows.model.InstanceChange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Fold of an instance's events to its state. Pure. */
@Machine
public final class InstanceFold {
  private InstanceFold() {}

  /** Returns the state that follows by an event. */
  public static InstanceData apply(InstanceData data, InstanceEvent event) {
    InstanceData after = state(data, event);
    InstanceChange past = PastChanges.of(data, event);
    return past == null ? after : after.with(past);
  }

  private static InstanceData state(InstanceData data, InstanceEvent event) {
    if (event instanceof InstanceEvent.Created created) {
      return data.begun(created.spec(), StepTable.EMPTY, created.at(), 0);
    } else if (event instanceof InstanceEvent.Stopped stopped) {
      return data.stopped(stopped.cause(), stopped.at());
    } else if (event instanceof InstanceEvent.Forced forced) {
      return data.forced(forced.by(), forced.at());
    } else if (event instanceof InstanceEvent.UndoBegan began) {
      return data.undoing(began.outcome(), began.reason());
    } else if (event instanceof InstanceEvent.Ended ended) {
      return data.ended(ended.outcome(), ended.at(), ended.reason());
    } else if (event instanceof InstanceEvent.Reopened reopened) {
      return reopened(data, reopened);
    }
    return step(data.hasBegun() ? data : data.since(event.at()), event);
  }

  private static InstanceData reopened(InstanceData data, InstanceEvent.Reopened event) {
    StepTable steps = data.steps();
    int bytes = data.outputBytes();
    for (String id : event.steps(data.steps())) {
      StepRecord before = steps.get(id);
      bytes -= before.bytes();
      steps = steps.with(id, StepRecord.pending(before.run()));
    }
    return data.begun(data.created(), steps, event.at(), bytes);
  }

  private static InstanceData step(InstanceData data, InstanceEvent event) {
    boolean undo = data.undoing() != null;
    if (event instanceof InstanceEvent.StepStarted e) {
      StepRecord step = data.steps().get(e.step());
      return put(data, e.step(), undo ? undone(step, e) : started(step, e));
    } else if (event instanceof InstanceEvent.StepRetries e) {
      StepRecord step = data.steps().get(e.step());
      StepState waits = StepState.RETRY_WAIT;
      return put(
          data,
          e.step(),
          undo
              ? step.with(
                  step.run(),
                  new StepUndo(
                      waits, undo(step).attempt(), undo(step).lost(), e.dueAt(), e.error()),
                  step.child())
              : changed(step, waits, step.lost(), e.dueAt(), e.error(), e.worker()));
    } else if (event instanceof InstanceEvent.StepLost e) {
      StepRecord step = data.steps().get(e.step());
      return put(
          data,
          e.step(),
          undo
              ? step.with(
                  step.run(),
                  new StepUndo(
                      undo(step).state(),
                      undo(step).attempt(),
                      undo(step).lost() + 1,
                      null,
                      e.cause()),
                  step.child())
              : changed(step, step.state(), step.lost() + 1, null, e.cause(), step.worker()));
    } else if (event instanceof InstanceEvent.StepEnded e) {
      StepRecord step = data.steps().get(e.step());
      if (undo) {
        StepUndo last = undo(step);
        return put(
            data,
            e.step(),
            step.with(
                step.run(),
                new StepUndo(e.state(), last.attempt(), last.lost(), null, e.error()),
                e.child() == null ? step.child() : e.child()));
      }
      return data.with(data.steps().with(e.step(), ended(step, e)), data.outputBytes() + e.bytes());
    }
    InstanceEvent.StepSkipped e = (InstanceEvent.StepSkipped) event;
    StepRecord step = data.steps().get(e.step());
    return put(
        data,
        e.step(),
        new StepRecord(
            e.state(),
            step.run(),
            0,
            0,
            null,
            e.at(),
            null,
            null,
            0,
            e.reason(),
            null,
            null,
            e.winner(),
            null,
            null));
  }

  private static InstanceData put(InstanceData data, String id, StepRecord step) {
    return data.with(data.steps().with(id, step), data.outputBytes());
  }

  private static StepUndo undo(StepRecord step) {
    StepUndo undo = step.undo();
    return undo == null ? new StepUndo(StepState.RUNNING, 1, 0, null, null) : undo;
  }

  private static StepRecord started(StepRecord step, InstanceEvent.StepStarted event) {
    return new StepRecord(
        StepState.RUNNING,
        event.run(),
        event.attempt(),
        step.lost(),
        step.startedAt() == null ? event.at() : step.startedAt(),
        null,
        null,
        null,
        0,
        event.attempt() > 1 || step.lost() > 0 ? step.reason() : null,
        null,
        event.child(),
        event.winner() == null ? step.winner() : event.winner(),
        null,
        null);
  }

  private static StepRecord undone(StepRecord step, InstanceEvent.StepStarted event) {
    return step.with(
        event.run(),
        new StepUndo(
            StepState.RUNNING, event.attempt(), undo(step).lost(), null, undo(step).reason()),
        event.child());
  }

  private static StepRecord changed(
      StepRecord step,
      StepState state,
      int lost,
      @Nullable Instant dueAt,
      String reason,
      @Nullable String worker) {
    return new StepRecord(
        state,
        step.run(),
        step.attempt(),
        lost,
        step.startedAt(),
        null,
        dueAt,
        null,
        0,
        reason,
        worker,
        step.child(),
        step.winner(),
        null,
        null);
  }

  private static StepRecord ended(StepRecord step, InstanceEvent.StepEnded event) {
    return new StepRecord(
        event.state(),
        step.run(),
        step.attempt(),
        step.lost(),
        step.startedAt(),
        event.at(),
        null,
        event.output(),
        event.bytes(),
        event.error(),
        event.worker(),
        event.child() == null ? step.child() : event.child(),
        event.winner() == null ? step.winner() : event.winner(),
        null,
        event.blob());
  }
}
