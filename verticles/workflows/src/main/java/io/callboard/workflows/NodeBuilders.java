package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.task.BackgroundTasks;
import io.callboard.workflows.WorkflowBuilder.Build;
import io.callboard.workflows.WorkflowBuilder.Link;
import io.callboard.workflows.WorkflowBuilder.NextStart;
import io.callboard.workflows.internal.starts.IntakeStart;
import io.callboard.workflows.internal.starts.MessageBuilders;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowException.Code;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The builders that are registered on this node. Thread-safe. */
final class NodeBuilders implements MessageBuilders {
  private final DefinitionClient definitions;
  private final Callboard callboard;
  private final BackgroundTasks tasks;
  private final Map<String, Registered> builders = new ConcurrentHashMap<>();

  /** Builder with its zone; null for the one of all builders. */
  private record Registered(WorkflowBuilder builder, @Nullable String zone) {}

  NodeBuilders(Callboard callboard, DefinitionClient definitions) {
    this.callboard = callboard;
    this.tasks = callboard.tasks("the builders of workflow instances");
    this.definitions = definitions;
  }

  /** Registers a builder, unless there is one of that name. */
  void register(String name, @Nullable String zone, WorkflowBuilder builder) {
    if (builders.putIfAbsent(name, new Registered(builder, zone)) != null) {
      throw new IllegalArgumentException(
          "this node has a builder %.100s already: give this one another name".formatted(name));
    }
  }

  /** Returns whether there is a builder of that name. */
  boolean has(String name) {
    return builders.containsKey(name);
  }

  @Override
  public @Nullable String zone(String builder) {
    Registered registered = builders.get(builder);
    return registered == null ? null : registered.zone();
  }

  @Override
  public boolean isFull(String zone) {
    return callboard.admin().isZoneFull(zone);
  }

  @Override
  public Future<@Nullable IntakeStart> ask(Question question) {
    Registered registered = builders.get(question.builder());
    if (registered == null) {
      return WorkflowFailures.fail(
          Code.UNAVAILABLE,
          "this node has no builder \"%.100s\": register it on all nodes"
              .formatted(question.builder()));
    }
    WorkflowBuilder builder = registered.builder();
    JsonNode message = question.message().deepCopy();
    Future<@Nullable IntakeStart> answer =
        question.outcome() == null || question.instance() == null
            ? builder
                .build(new Build(question.id(), message, question.attempt()))
                .map(start -> start.map(its -> start(its, Duration.ZERO)).orElse(null))
            : builder
                .next(
                    new Link(
                        question.id(),
                        message,
                        question.instance(),
                        question.outcome(),
                        question.links()))
                .map(next -> next.map(NodeBuilders::start).orElse(null));
    return answer.timeout(SECONDS, TimeUnit.SECONDS).compose(this::checked);
  }

  /**
   * Fails what its definition would refuse, as the builder's failure. The answer does not wait for
   * a thread of the builder's zone, which another builder may hold.
   */
  private Future<@Nullable IntakeStart> checked(@Nullable IntakeStart start) {
    if (start == null) {
      return Future.succeededFuture();
    }
    return tasks.call(
        () ->
            definitions
                .acceptingPatiently(start.definition(), start.version(), start.input())
                .<@Nullable IntakeStart>map(
                    version -> start.delay().isZero() ? start.version(version) : start));
  }

  private static IntakeStart start(NextStart next) {
    return start(next.request(), next.delay());
  }

  private static IntakeStart start(StartRequest request, Duration delay) {
    WorkflowException invalid = InstanceClient.invalid(request);
    if (invalid != null) {
      throw invalid;
    } else if (request.uniqueKey() != null) {
      throw new WorkflowException(
          Code.INVALID,
          "/uniqueKey",
          "a request of a builder has no unique key: its message is unique by its id");
    }
    return new IntakeStart(
        request.definition(),
        request.version(),
        request.input().deepCopy(),
        request.priority(),
        request.labels(),
        delay);
  }
}
