package io.callboard.workflows;

import com.fasterxml.jackson.databind.node.NullNode;
import io.callboard.Callboard;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.internal.text.PlainText;
import io.callboard.jobs.model.JobLabels;
import io.callboard.jobs.model.JobSpec;
import io.callboard.workflows.internal.actor.DefinitionCache;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.actor.KeyClaims;
import io.callboard.workflows.internal.actor.StartFailures;
import io.callboard.workflows.internal.archiving.ArchivedInstance;
import io.callboard.workflows.internal.index.EndedInstance;
import io.callboard.workflows.internal.instance.InstanceIds;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.protocol.InstanceAnswer;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.StartedInstance;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Client of the actors of instances, on whichever nodes they run. Thread-safe. */
final class InstanceClient {
  private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");
  private static final int MOST_INPUT = 256 * 1024;
  private static final int MOST_KEY = 200;

  private final Callboard callboard;
  private final DefinitionCache definitions;
  private final RandomGenerator random;
  private final KeyClaims keys;

  /**
   * Creates the client.
   *
   * @param definitions definitions that this node has read
   */
  InstanceClient(Callboard callboard, DefinitionCache definitions) {
    this.callboard = callboard;
    this.definitions = definitions;
    this.random = callboard.random();
    this.keys = new KeyClaims(callboard, this::found, Workflows.ASK);
  }

  /** Creates an instance, or returns the one that holds its unique key. */
  Future<StartedInstance> start(StartRequest request) {
    WorkflowException invalid = invalid(request);
    invalid = invalid == null ? invalidKey(request.uniqueKey()) : invalid;
    if (invalid != null) {
      return Future.failedFuture(invalid);
    }
    return definitions
        .load(request.definition(), request.version())
        .recover(WorkflowFailures::translate)
        .compose(loaded -> start(request, loaded.definition().version()));
  }

  /** Starts an instance of a version, so that its actor need not ask for the current one. */
  private Future<StartedInstance> start(StartRequest request, String version) {
    StartRequest pinned =
        new StartRequest(
            request.definition(),
            version,
            request.input().deepCopy(), // whoever has given it may go on changing it
            request.uniqueKey(),
            request.priority(),
            request.labels());
    InstanceCommand.Start start = command(newId(), pinned);
    String key = request.uniqueKey();
    return key == null ? create(start) : claim(start, key);
  }

  private synchronized String newId() {
    return InstanceIds.next(callboard.time().clock().instant(), random);
  }

  /** Returns why a request is over a limit; null if it is not. */
  static @Nullable WorkflowException invalid(StartRequest request) {
    int bytes;
    try {
      bytes = Json.data("the input", request.input()).length;
    } catch (CodecException e) {
      return new WorkflowException(Code.INVALID, "/input", String.valueOf(e.getMessage()));
    }
    if (bytes > MOST_INPUT) {
      return new WorkflowException(
          Code.INVALID,
          "/input",
          "the input has %,d bytes as JSON; the limit is %,d: keep large data elsewhere and give a reference"
              .formatted(bytes, MOST_INPUT));
    } else if (request.priority() < 0 || request.priority() > JobSpec.MOST_PRIORITY) {
      return new WorkflowException(
          Code.INVALID,
          "/priority",
          "the priority is 0 to %d, not %d".formatted(JobSpec.MOST_PRIORITY, request.priority()));
    }
    return JobLabels.fault("labels", request.labels(), JobLabels.MOST)
        .map(defect -> new WorkflowException(Code.INVALID, defect.pointer(), defect.problem()))
        .orElse(null);
  }

  private static @Nullable WorkflowException invalidKey(@Nullable String key) {
    return key == null || (!key.isBlank() && key.length() <= MOST_KEY)
        ? Optional.ofNullable(key)
            .flatMap(PlainText::fault)
            .map(why -> new WorkflowException(Code.INVALID, "/uniqueKey", "the key " + why))
            .orElse(null)
        : new WorkflowException(
            Code.INVALID,
            "/uniqueKey",
            key.isBlank()
                ? "the key is blank: leave it out, or give one"
                : "a key has 1 to %d characters, this has %,d".formatted(MOST_KEY, key.length()));
  }

  private InstanceCommand.Start command(String id, StartRequest request) {
    return new InstanceCommand.Start(
        id,
        request.definition(),
        request.version(),
        request.input(),
        request.priority(),
        request.labels(),
        request.uniqueKey(),
        null,
        callboard.time().clock().instant(),
        null);
  }

  private Future<StartedInstance> create(InstanceCommand.Start start) {
    return ask(start.id(), start).map(instance -> new StartedInstance(instance, false));
  }

  /** Claims the key, and starts the instance; a holder that has ended is replaced. */
  private Future<StartedInstance> claim(InstanceCommand.Start start, String key) {
    return keys.claim(key, start)
        .recover(WorkflowFailures::translate)
        .compose(
            holder ->
                holder
                    .map(its -> Future.succeededFuture(new StartedInstance(its, true)))
                    .orElseGet(() -> create(start))); // again, for the answer
  }

  /** Returns the claims of unique keys. */
  KeyClaims keys() {
    return keys;
  }

  /** Returns a stored instance; empty if there is none. */
  private Future<Optional<Instance>> found(String id) {
    return stored(id)
        .map(Optional::of)
        .recover(
            cause ->
                cause instanceof WorkflowException e && e.code() == Code.NOT_FOUND
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(cause));
  }

  /** Returns a stored instance; fails with {@code NOT_FOUND} if there is none. */
  Future<Instance> stored(String id) {
    return exists(id).compose(v -> ask(id, new InstanceCommand.Look()));
  }

  /** Asks the actor of a stored instance; checks that first, so a wrong id creates no mailbox. */
  Future<Instance> command(String id, InstanceCommand command) {
    return exists(id).compose(v -> ask(id, command));
  }

  /** Completes if there is an instance; fails with {@code NOT_FOUND} if there is none. */
  Future<Void> exists(String id) {
    if (!ID.matcher(id).matches()) {
      return WorkflowFailures.fail(Code.NOT_FOUND, "there is no instance \"%.100s\"".formatted(id));
    }
    return callboard
        .admin()
        .stored(InstanceActor.path(id))
        .recover(WorkflowFailures::translate)
        .compose(
            found ->
                found.isPresent()
                    ? Future.succeededFuture()
                    : WorkflowFailures.fail(Code.NOT_FOUND, "there is no instance " + id));
  }

  /** Returns an instance for the archive; empty if there is none. */
  Future<Optional<ArchivedInstance>> whole(String id) {
    return answer(id, new InstanceCommand.Look())
        .compose(
            look ->
                answer(id, new InstanceCommand.Timeline())
                    .map(
                        timeline ->
                            Optional.of(
                                new ArchivedInstance(
                                    ((InstanceAnswer.Is) look).instance(),
                                    ((InstanceAnswer.Changes) timeline).changes()))))
        .recover(
            cause ->
                cause instanceof WorkflowException e && e.code() == Code.NOT_FOUND
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(cause));
  }

  /** Returns the output of a step as JSON; fails with {@code NOT_FOUND} if there is none. */
  Future<Buffer> output(String id, String step, StepOutputs outputs) {
    return exists(id)
        .compose(v -> answer(id, new InstanceCommand.GetOutput(step)))
        .map(answer -> (InstanceAnswer.Output) answer)
        .compose(
            found ->
                found.blob() == null
                    ? Future.succeededFuture(
                        Json.uncheckedBytes(
                            found.output() == null ? NullNode.instance : found.output()))
                    : outputs.read(id, found.blob()).recover(cause -> unread(id, step, cause)))
        .map(Buffer::buffer);
  }

  private static Future<byte[]> unread(String id, String step, Throwable cause) {
    return StepOutputs.isGone(cause)
        ? WorkflowFailures.fail(
            Code.NOT_FOUND,
            "the output of step %s of %s is gone: %s".formatted(step, id, cause.getMessage()))
        : WorkflowFailures.translate(cause);
  }

  /** Removes an instance for the retention, if it is as it was indexed. */
  Future<Boolean> remove(EndedInstance instance) {
    return answer(instance.id(), new InstanceCommand.Expire(instance.change()))
        .map(answer -> ((InstanceAnswer.Expired) answer).gone());
  }

  private Future<Instance> ask(String id, InstanceCommand command) {
    return answer(id, command).map(answer -> ((InstanceAnswer.Is) answer).instance());
  }

  /** Returns the answer of an instance's actor; fails with what it refuses. */
  Future<InstanceAnswer> answer(String id, InstanceCommand command) {
    return callboard
        .durableRef(InstanceActor.path(id), InstanceCommand.class)
        .ask(command, InstanceAnswer.class, Workflows.ASK)
        .recover(
            cause ->
                StartFailures.explain(
                    callboard, InstanceActor.path(id), "the instance " + id, Workflows.ASK, cause))
        .recover(WorkflowFailures::translate)
        .compose(
            answer ->
                answer instanceof InstanceAnswer.Refused refused
                    ? Future.failedFuture(
                        new WorkflowException(
                            refused.code(),
                            refused.pointer() == null ? "" : refused.pointer(),
                            refused.message()))
                    : Future.succeededFuture(answer));
  }
}
