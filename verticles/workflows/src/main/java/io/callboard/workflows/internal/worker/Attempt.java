package io.callboard.workflows.internal.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.BlobRef;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.model.PermanentStepException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Run of a step on this node, as its code sees it. Thread-safe. */
public final class Attempt {
  /** Maximum size of large outputs that are read into an input, together. */
  static final int MOST_READ = 1 << 20;

  private final StepRequest request;
  private final StepOutputs outputs;
  private final HeartbeatRelay heartbeats;
  private final Promise<Void> cancelled;
  private @Nullable JsonNode input;
  private @Nullable JsonNode with;

  /**
   * Creates an attempt.
   *
   * @param outputs large outputs of the steps before
   * @param heartbeats sends a heartbeat to the worker, which calls {@link #heartbeatArrived}
   * @param cancelled completes when it is to end; what listens to it is of the application, and may
   *     block
   */
  Attempt(
      StepRequest request,
      StepOutputs outputs,
      Function<JsonNode, Future<?>> heartbeats,
      Promise<Void> cancelled) {
    this.request = request;
    this.outputs = outputs;
    this.heartbeats = new HeartbeatRelay(heartbeats);
    this.cancelled = cancelled;
  }

  private Map<String, BlobRef> large() {
    Map<String, BlobRef> large = request.large();
    return large == null ? Map.of() : large;
  }

  /**
   * Reads the large outputs into the input, unless they are over its limit together. All are read
   * at once: between two of them another attempt could hold the thread of its zone.
   */
  Future<Void> prepare() {
    long bytes = large().values().stream().mapToLong(BlobRef::bytes).sum();
    if (bytes == 0 || bytes > MOST_READ || !(request.input() instanceof ObjectNode given)) {
      return Future.succeededFuture();
    }
    Map<String, Future<JsonNode>> reads = new TreeMap<>();
    large().keySet().forEach(step -> reads.put(step, output(step)));
    return Future.all(List.copyOf(reads.values()))
        .map(
            all -> {
              ObjectNode whole = given.deepCopy();
              ObjectNode read = whole.withObject("/outputs");
              reads.forEach((step, output) -> read.set(step, output.result()));
              whole.remove("large");
              prepared(whole);
              return null;
            });
  }

  private synchronized void prepared(JsonNode whole) {
    input = whole;
  }

  /**
   * Returns a copy of the step's input with the large outputs that were read into it; made when it
   * is asked for, as the requested input belongs to the instance.
   */
  public synchronized JsonNode input() {
    if (input == null) {
      input = request.input().deepCopy();
    }
    return input;
  }

  /** Returns a copy of the step's parameters, as they belong to the definition. */
  public synchronized JsonNode with() {
    if (with == null) {
      with = request.with().deepCopy();
    }
    return with;
  }

  /** Returns a copy of the output of a step before it; fails if there is none. */
  public Future<JsonNode> output(String step) {
    BlobRef blob = large().get(step);
    JsonNode small = request.input().path("outputs").path(step);
    if (blob != null) {
      return outputs
          .tree(request.instance(), step, blob)
          .recover(cause -> Future.failedFuture(unread(step, blob, cause)));
    }
    return small.isMissingNode()
        ? Future.failedFuture(
            new PermanentStepException(
                "there is no output of a step \"%.100s\" before step %s"
                    .formatted(step, request.step())))
        : Future.succeededFuture(small.deepCopy());
  }

  private static Exception unread(String step, BlobRef blob, Throwable cause) {
    String what =
        "the output of step %s, %,d bytes, cannot be read: %s"
            .formatted(step, blob.bytes(), cause.getMessage());
    return StepOutputs.isGone(cause)
        ? new PermanentStepException(what)
        : new IllegalStateException(what, cause);
  }

  /** Returns the request of the run. */
  public StepRequest request() {
    return request;
  }

  /** Returns a future that completes when the run is to end. */
  public Future<Void> cancelled() {
    return cancelled.future();
  }

  /**
   * Reports that the code goes on, with its progress for people. Of several that come faster than
   * the worker takes them the last one counts.
   *
   * @throws IllegalArgumentException if {@code progress} is longer than 4 KiB as JSON
   */
  public void heartbeat(JsonNode progress) {
    heartbeats.send(progress);
  }

  /** Records that the worker has received the last heartbeat. */
  void heartbeatArrived() {
    heartbeats.arrived();
  }

  /** Asks the code to end; idempotent. */
  void cancel() {
    boolean unused = cancelled.tryComplete();
  }
}
