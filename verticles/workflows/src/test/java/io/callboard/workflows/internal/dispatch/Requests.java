package io.callboard.workflows.internal.dispatch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.internal.protocol.StepRequest;
import java.time.Duration;
import java.time.Instant;

/** Requests of tests. */
final class Requests {
  private Requests() {}

  static StepRequest of(String instance, String type) {
    return of(instance, 1, type, "definition", 5, 1, null);
  }

  static StepRequest of(String instance, String type, String definition, int weight) {
    return of(instance, 1, type, definition, 5, weight, null);
  }

  static StepRequest prior(String instance, int priority) {
    return of(instance, 1, "http", "definition", priority, 1, null);
  }

  static StepRequest run(String instance, int run) {
    return of(instance, run, "http", "definition", 5, 1, null);
  }

  static StepRequest limited(String instance, Duration timeout) {
    return of(instance, 1, "http", "definition", 5, 1, timeout);
  }

  private static StepRequest of(
      String instance,
      int run,
      String type,
      String definition,
      int priority,
      int weight,
      Duration timeout) {
    return new StepRequest(
        instance,
        definition,
        "step",
        1,
        run,
        type,
        priority,
        weight,
        timeout,
        Instant.EPOCH,
        "nowhere",
        JsonNodeFactory.instance.objectNode(),
        JsonNodeFactory.instance.objectNode(),
        instance + "/step",
        null,
        null,
        null,
        null);
  }
}
