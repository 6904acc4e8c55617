package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.internal.worker.Attempt;
import io.vertx.core.Future;

/** Context of a step's handler, backed by its attempt. The node and the test kit make them. */
public final class StepRunContext implements StepContext {
  private final Attempt attempt;

  /** Creates the context of an attempt. */
  public StepRunContext(Attempt attempt) {
    this.attempt = attempt;
  }

  @Override
  public String instance() {
    return attempt.request().instance();
  }

  @Override
  public String step() {
    return attempt.request().step();
  }

  @Override
  public int attempt() {
    return attempt.request().attempt();
  }

  @Override
  public int run() {
    return attempt.request().run();
  }

  @Override
  public String key() {
    return attempt.request().idempotencyKey();
  }

  @Override
  public JsonNode input() {
    return attempt.input();
  }

  @Override
  public Future<JsonNode> output(String step) {
    return attempt.output(step);
  }

  @Override
  public JsonNode with() {
    return attempt.with();
  }

  @Override
  public Future<Void> cancelled() {
    return attempt.cancelled();
  }

  @Override
  public void heartbeat(JsonNode progress) {
    attempt.heartbeat(progress);
  }
}
