package io.callboard.workflows.internal.worker;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Code of one type of step, as its worker calls it. */
@FunctionalInterface
public interface AttemptCode {
  /** Returns whether the code reads the outputs of other steps. */
  default boolean readsOutputs() {
    return true;
  }

  /** Runs a step; completes with its output, null for none. May throw, which is a failure, too. */
  Future<@Nullable JsonNode> run(Attempt attempt);

  /**
   * Returns the future that a handler of the application has returned.
   *
   * @throws IllegalStateException if it returned none
   */
  static Future<@Nullable JsonNode> returned(@Nullable Future<JsonNode> running) {
    if (running == null) {
      throw new IllegalStateException("its handler returned null, not a future");
    }
    return running.map(output -> output);
  }
}
