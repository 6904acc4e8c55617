package io.callboard.workflows.worker;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.protocol.StepRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Consumer;

/** Run of a step on this node, as its code sees it. Thread-safe. */
public final class Attempt {
  private final StepRequest request;
  private final Consumer<JsonNode> heartbeats;
  private final Promise<Void> cancelled = Promise.promise();

  /** Creates an attempt. */
  Attempt(StepRequest request, Consumer<JsonNode> heartbeats) {
    this.request = request;
    this.heartbeats = heartbeats;
  }

  /** Returns the request that is run. */
  public StepRequest request() {
    return request;
  }

  /** Returns a future that completes when the run is to end. */
  public Future<Void> cancelled() {
    return cancelled.future();
  }

  /** Reports that the code goes on, with what people may see of it. */
  public void heartbeat(JsonNode progress) {
    heartbeats.accept(progress);
  }

  /** Asks the code to end; idempotent. */
  void cancel() {
    boolean unused = cancelled.tryComplete();
  }
}
