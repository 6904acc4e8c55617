package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.protocol.StepRequest;
import io.vertx.core.Future;

/**
 * Run of a step by a handler of this node.
 *
 * @param request its request
 * @param cancelled completes when it is to end
 */
record LocalRun(StepRequest request, Future<Void> cancelled) implements StepContext {
  @Override
  public String instance() {
    return request.instance();
  }

  @Override
  public String step() {
    return request.step();
  }

  @Override
  public int attempt() {
    return request.attempt();
  }

  @Override
  public int run() {
    return request.run();
  }

  @Override
  public String key() {
    return request.idempotencyKey();
  }

  @Override
  public JsonNode input() {
    return request.input();
  }

  @Override
  public JsonNode with() {
    return request.with();
  }

  @Override
  public void heartbeat(JsonNode progress) {
    // nobody asks for it here
  }
}
