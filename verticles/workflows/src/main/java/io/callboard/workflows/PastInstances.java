package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.callboard.codecs.Json;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.archiving.ArchivedInstance;
import io.callboard.workflows.internal.archiving.ArchivedInstances;
import io.callboard.workflows.internal.instance.OutputCheck;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.StepView;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.callboard.workflows.model.WorkflowWhy;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers for instances that have left the cell, from the database that has them. Thread-safe. */
final class PastInstances {
  private final ArchivedInstances archived;

  PastInstances(ArchivedInstances archived) {
    this.archived = archived;
  }

  /**
   * Returns the answer of the cell or, if that has no such instance, the answer for the archived
   * one; fails as the cell does if neither has it.
   */
  <T> Future<T> or(String id, Future<T> live, Function<ArchivedInstance, Future<T>> past) {
    return live.recover(
        cause ->
            isMissing(cause)
                ? archived
                    .find(id)
                    .compose(found -> found.map(past).orElseGet(() -> Future.failedFuture(cause)))
                : Future.failedFuture(cause));
  }

  private static boolean isMissing(Throwable cause) {
    return cause instanceof WorkflowException e && e.code() == Code.NOT_FOUND;
  }

  /** Returns why an instance is where it is. */
  static WorkflowWhy why(ArchivedInstance past) {
    Instance instance = past.instance();
    String reason = instance.reason() == null ? "it has ended" : instance.reason();
    return new WorkflowWhy(instance.state(), reason, instance.endedAt(), Map.of(), null);
  }

  /** Returns the output of a step as JSON; fails if the step has none, or if that was large. */
  static Future<Buffer> output(ArchivedInstance past, String step) {
    StepView its = past.instance().steps().get(step);
    if (its == null || its.state() != StepState.SUCCEEDED) {
      return WorkflowFailures.fail(
          Code.NOT_FOUND, "there is no output of a step \"%.100s\"".formatted(step));
    } else if (its.outputBytes() != null) {
      return WorkflowFailures.fail(
          Code.NOT_FOUND,
          "the instance is archived, and the output of step %s, %,d bytes, left the cell: the archive has outputs of up to %,d bytes"
              .formatted(step, its.outputBytes(), OutputCheck.MOST_OUTPUT));
    }
    JsonNode output = its.output() == null ? NullNode.instance : its.output();
    return Future.succeededFuture(Buffer.buffer(Json.uncheckedBytes(output)));
  }

  /** Answers to a cancellation, as the cell does: one that is cancelled already stays so. */
  static Future<Instance> cancel(ArchivedInstance past) {
    InstanceState state = past.instance().state();
    return state == InstanceState.CANCELLED
        ? Future.succeededFuture(past.instance())
        : WorkflowFailures.fail(
            Code.ILLEGAL_STATE, "the instance is %s: it cannot be cancelled".formatted(state));
  }

  /** Refuses to run steps of an archived instance again. */
  static Future<Instance> runAgain(ArchivedInstance past) {
    return WorkflowFailures.fail(
        Code.ILLEGAL_STATE,
        "the instance is %s and archived: what it would go on with has left the cell, so nothing of it can run again; start another one with the same input"
            .formatted(past.instance().state()));
  }

  /**
   * Deletes an instance of the cell or of the archive; completes with the instance as it was. If
   * the database does not answer, nothing is deleted.
   *
   * @param live deletes it in the cell
   */
  Future<Instance> delete(String id, Supplier<Future<Instance>> live) {
    return archived
        .find(id)
        .compose(before -> or(id, live.get(), past -> Future.succeededFuture(past.instance())))
        .compose(instance -> archived.delete(id).recover(cause -> halfDeleted(id)).map(instance));
  }

  private static Future<Void> halfDeleted(String id) {
    return WorkflowFailures.fail(
        Code.UNAVAILABLE,
        "the instance %s may still be in the archive's database, which does not answer any more: delete it again later"
            .formatted(id));
  }
}
