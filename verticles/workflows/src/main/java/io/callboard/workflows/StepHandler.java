package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;

/** Code that runs a step. Called for several runs at the same time. */
@FunctionalInterface
public interface StepHandler {
  /**
   * Runs a step. May run again for the same step, after a failure or if its node died: use {@link
   * StepContext#key} for effects elsewhere.
   *
   * @return completes with the output, of up to 16 MiB as JSON; null for none. A failure is retried
   *     if the step has attempts left
   */
  Future<JsonNode> run(StepContext step);
}
