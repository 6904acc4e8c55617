package io.callboard.workflows.internal.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.Blobs;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.store.StoreException;
import io.callboard.workflows.internal.instance.InstanceIds;
import io.callboard.workflows.internal.instance.OutputCheck;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Large outputs of steps, as blobs of the actors of their instances. Thread-safe. */
public final class StepOutputs {
  private static final Logger log = LoggerFactory.getLogger(StepOutputs.class);

  private final Supplier<Blobs> node;
  private final @Nullable Context writer;

  /**
   * Creates the access to outputs; its futures complete on the context of the caller.
   *
   * @param node blobs of the node
   */
  public StepOutputs(Supplier<Blobs> node) {
    this(node, null);
  }

  /**
   * Creates the access to outputs for callers that may lose their thread, as attempts do.
   *
   * @param node blobs of the node
   * @param writer where the end of a write is awaited, which then waits for no thread of its
   *     caller; null for where its caller runs
   */
  public StepOutputs(Supplier<Blobs> node, @Nullable Context writer) {
    this.node = node;
    this.writer = writer;
  }

  private Blobs blobs() {
    return node.get();
  }

  /**
   * Stores the output of an outcome if it is large.
   *
   * @return the outcome, with a copy of its output, which a handler may go on changing, or with a
   *     reference in place of a large one; a failure for good if the output is over the limit of
   *     all, or could not be read back
   */
  public Future<StepOutcome> store(String instance, String step, StepOutcome outcome) {
    byte[] output;
    try {
      output = OutputCheck.json(step, outcome.output());
    } catch (CodecException e) {
      return Future.succeededFuture(StepOutcome.failedForGood(String.valueOf(e.getMessage())));
    }
    if (output.length <= OutputCheck.MOST_OUTPUT) {
      return Future.succeededFuture(
          outcome.output() == null ? outcome : StepOutcome.succeeded(outcome.output().deepCopy()));
    } else if (output.length > OutputCheck.MOST_LARGE) {
      return Future.succeededFuture(
          StepOutcome.failedForGood(OutputCheck.tooLarge(step, output.length)));
    }
    return write(InstanceIds.path(instance), output).map(StepOutcome::stored);
  }

  private Future<BlobRef> write(String owner, byte[] output) {
    if (writer == null) {
      return blobs().write(owner, output);
    }
    Promise<BlobRef> written = Promise.promise();
    writer.runOnContext(
        v ->
            Future.<Void>succeededFuture()
                .compose(none -> blobs().write(owner, output))
                .onComplete(written));
    return written.future();
  }

  /** Reads an output of an instance, as JSON. */
  public Future<byte[]> read(String instance, BlobRef blob) {
    return blobs().read(InstanceIds.path(instance), blob);
  }

  /** Reads an output of an instance. */
  public Future<JsonNode> tree(String instance, String step, BlobRef blob) {
    return read(instance, blob).map(bytes -> Json.parse("the output of step " + step, bytes));
  }

  /**
   * Adopts the output of the job or sub-workflow of a step: reads the parts that the child has by
   * reference, and stores the whole if it is large.
   */
  public Future<StepOutcome> adopt(String instance, InstanceCommand.Adopt adopt) {
    long bytes = adopt.large().values().stream().mapToLong(BlobRef::bytes).sum();
    if (bytes > OutputCheck.MOST_LARGE) {
      return Future.succeededFuture(
          StepOutcome.failedForGood(OutputCheck.tooLarge(adopt.step(), bytes)));
    }
    return whole(adopt)
        .compose(outcome -> store(instance, adopt.step(), outcome))
        .recover(cause -> unreadable(adopt, cause));
  }

  private Future<StepOutcome> whole(InstanceCommand.Adopt adopt) {
    if (adopt.large().isEmpty()) {
      return Future.succeededFuture(adopt.outcome());
    }
    ObjectNode outputs = JsonNodeFactory.instance.objectNode();
    if (adopt.outcome().output() instanceof ObjectNode small) {
      outputs.setAll(small);
    }
    Future<Void> read = Future.succeededFuture();
    for (Map.Entry<String, BlobRef> each : adopt.large().entrySet()) {
      read =
          read.compose(before -> tree(adopt.child(), each.getKey(), each.getValue()))
              .map(
                  output -> {
                    outputs.set(each.getKey(), output);
                    return null;
                  });
    }
    return read.map(done -> StepOutcome.succeeded(outputs));
  }

  /** Returns whether a failure says that an output is not there any more. */
  public static boolean isGone(Throwable cause) {
    return cause instanceof StoreException failure && failure.kind() == StoreException.Kind.CORRUPT;
  }

  private static Future<StepOutcome> unreadable(InstanceCommand.Adopt adopt, Throwable cause) {
    String why =
        "the outputs of %s cannot be read: %s".formatted(adopt.child(), cause.getMessage());
    if (isGone(cause)) {
      return Future.succeededFuture(StepOutcome.failed(why));
    }
    return cause instanceof CodecException // a node of an older version stored it
        ? Future.succeededFuture(StepOutcome.failedForGood(why))
        : Future.failedFuture(cause);
  }

  /** Removes an output to which the instance has no reference. */
  public void forget(String instance, BlobRef blob) {
    blobs()
        .remove(InstanceIds.path(instance), blob)
        .onFailure(
            cause ->
                log.info(
                    "{} of {} could not be removed and stays until the instance goes",
                    blob,
                    instance,
                    cause));
  }

  /** Removes all outputs of an instance that is removed, also those that it does not know. */
  public Future<Void> removeAll(InstanceData instance) {
    return instance.spec() == null || !OutputCheck.mayHaveLarge(instance)
        ? Future.succeededFuture()
        : blobs().removeAll(InstanceIds.path(instance.spec().id())).mapEmpty();
  }
}
