package io.callboard.workflows.internal.actor;

import com.fasterxml.jackson.databind.node.NullNode;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.supervision.Causes;
import io.callboard.workflows.internal.instance.ParentReport;
import io.callboard.workflows.internal.instance.StepInputs;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.model.InstanceEnded;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages of an instance to all that wait for its end: its parent instance, its listener, its
 * unique key. Part of a turn of its actor.
 */
final class EndNotices {
  private final Supplier<Callboard> callboard;
  private final Sender sender;

  /** Sends a message with the turn. */
  interface Sender {
    <T> void tell(ActorRef<T> to, T message);
  }

  /**
   * Creates the notices of an instance.
   *
   * @param callboard that of its actor, once it has started
   */
  EndNotices(Supplier<Callboard> callboard, Sender sender) {
    this.callboard = callboard;
    this.sender = sender;
  }

  /** Tells that an instance was not created. */
  void refused(InstanceCommand.Start start, WorkflowException refusal, Instant now) {
    String why = String.valueOf(refusal.getMessage());
    release(start.id(), start.uniqueKey(), 1);
    if (start.parent() != null) {
      StepOutcome failed =
          refusal.code() == Code.UNAVAILABLE
              ? StepOutcome.failed(why)
              : StepOutcome.failedForGood(why);
      above(start.parent().instance(), ParentReport.of(start.parent(), failed, now));
    }
    tell(
        start.listener(),
        new InstanceEnded(start.id(), start.definition(), InstanceState.FAILED, why, now));
  }

  /**
   * Tells that an instance has ended.
   *
   * @param inputs inputs of the steps of its definition, for its output; null if it has none
   */
  void ended(InstanceData data, @Nullable StepInputs inputs, Instant now) {
    InstanceSpec spec = data.created();
    release(spec.id(), spec.uniqueKey(), data.round());
    if (spec.parent() != null) {
      above(
          spec.parent().instance(),
          inputs == null
              ? ParentReport.of(spec.parent(), data.outcome(NullNode.instance), now)
              : ParentReport.of(data, inputs, spec.parent(), now));
    }
    tell(
        spec.listener(),
        new InstanceEnded(spec.id(), spec.definition(), data.state(), data.reason(), now));
  }

  private void release(String id, @Nullable String key, int round) {
    if (key != null) {
      sender.tell(InstanceKey.ref(callboard.get(), key), InstanceKey.KeyClaim.release(id, round));
    }
  }

  private void above(String instance, InstanceCommand report) {
    sender.tell(
        callboard.get().durableRef(InstanceActor.path(instance), InstanceCommand.class), report);
  }

  private void tell(@Nullable String listener, InstanceEnded ended) {
    if (listener != null) {
      sender.tell(callboard.get().durableRef(listener, InstanceEnded.class), ended);
    }
  }

  /**
   * Returns the refusal of a start at its last attempt: after that the start would be parked, and
   * nobody that waits would be notified.
   *
   * @param cause why the attempts before failed
   */
  static WorkflowException unable(Throwable cause) {
    return new WorkflowException(
        Code.UNAVAILABLE, "the instance cannot be created: " + Causes.message(cause));
  }

  /**
   * Returns the outcome that a run gets at the last attempt to handle its report.
   *
   * @param cause why the attempts before failed
   */
  static StepOutcome unhandled(Throwable cause) {
    return StepOutcome.failedForGood(
        "it has ended, and its instance could not go on with that: " + Causes.message(cause));
  }
}
