package io.callboard.workflows.internal.actor;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.InputSchema;
import io.callboard.workflows.internal.instance.StepInputs;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Version of a definition as a node has read it.
 *
 * @param definition the definition
 * @param inputs inputs of its steps
 * @param schema schema of the inputs of its instances; null for any
 * @param createdAt when it was stored first
 */
public record LoadedDefinition(
    CheckedDefinition definition,
    StepInputs inputs,
    @Nullable InputSchema schema,
    Instant createdAt) {
  /** Returns the weight of the definition among those that wait. */
  int weight() {
    return definition.definition().weight();
  }

  /**
   * Returns the time left to the present round of an instance, zero if it has passed; null without
   * a timeout.
   */
  @Nullable Duration left(InstanceData its, Instant now) {
    Duration timeout = its.created().timeout(definition.definition().timeout());
    if (timeout == null || its.begunAt() == null) {
      return null;
    }
    Duration left = Duration.between(now, its.begunAt().plus(timeout));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /**
   * Completes with itself if an input matches its schema; fails with a {@link WorkflowException} of
   * code {@code INVALID} that names the place. The check is done on a worker thread.
   */
  public Future<LoadedDefinition> accepts(JsonNode input, Vertx vertx) {
    InputSchema its = schema;
    return its == null
        ? Future.succeededFuture(this)
        : vertx
            .executeBlocking(() -> its.mismatch(input), false)
            .compose(
                mismatch ->
                    mismatch.isEmpty()
                        ? Future.succeededFuture(this)
                        : Future.failedFuture(refusal(mismatch.get())));
  }

  private static WorkflowException refusal(InputSchema.Mismatch mismatch) {
    String pointer = "/input" + mismatch.pointer();
    return new WorkflowException(
        Code.INVALID,
        pointer,
        "the input does not match its schema at %s: %s".formatted(pointer, mismatch.message()));
  }
}
