package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.internal.protocol.StepRequest;
import java.time.Duration;
import java.time.Instant;

/** Requests of tests with real actors. */
final class WorkRequests {
  private WorkRequests() {}

  static StepRequest of(String instance, String type) {
    return of(instance, 1, type, null, JsonNodeFactory.instance.objectNode());
  }

  static StepRequest of(String instance, int run, String type, Duration timeout, JsonNode with) {
    return new StepRequest(
        instance,
        "definition",
        "step",
        1,
        run,
        type,
        5,
        1,
        timeout,
        Instant.EPOCH,
        "one",
        JsonNodeFactory.instance.objectNode().put("in", instance),
        with,
        instance + "/step",
        null,
        null,
        null,
        null);
  }
}
