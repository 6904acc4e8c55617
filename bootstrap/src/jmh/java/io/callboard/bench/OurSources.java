package io.callboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.dashboard.DashboardServer;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.pollers.Sources;
import io.callboard.pollers.SourcesOptions;
import io.callboard.pollers.model.SourceConfig;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceTotals;
import io.callboard.pollers.model.SourceView;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Sources of a node as a user starts it, whose messages become a workflow of one step that does
 * nothing, or are told to an actor that does nothing.
 */
final class OurSources implements AutoCloseable {
  /** Most messages of a source under way. */
  static final int CREDIT = 256;

  private static final String WORKFLOW = "no-op";
  private static final String HANDLER = "no-op@1";
  private static final String EAR = "/bench/ear";
  private static final String BY = "bench";
  private static final int QUEUE_LIMIT = 100_000;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

  private final Parts parts = new Parts();
  private final AtomicLong handled = new AtomicLong();
  private final Node node;
  private final StartedParts started;
  private final Jobs jobs;
  private final Workflows workflows;
  private final Sources sources;

  /** Message to an actor. */
  record Note(String id) {}

  record Notes() {}

  private final class Ear extends DurableStateActor<Note, Notes> {
    @Override
    protected Notes initial() {
      return new Notes();
    }

    @Override
    protected void protocol(Protocol<Note> on) {
      on.message(
          Note.class,
          note -> {
            var unused = handled.incrementAndGet();
          });
    }
  }

  /**
   * Starts them.
   *
   * @param node is closed with them
   * @param config by name
   */
  OurSources(Node node, Path data, JsonObject config) throws Exception {
    this(node, data, config, input -> {});
  }

  /**
   * Starts them.
   *
   * @param each is given the input of each workflow whose step runs here
   */
  OurSources(Node node, Path data, JsonObject config, Consumer<JsonNode> each) throws Exception {
    this.node = node;
    parts.add(node::close);
    Callboard callboard = node.callboard();
    Grid grid = Node.await(Grid.start(callboard, GridOptions.DEFAULT));
    started = StartedParts.of(callboard, data, callboard.node());
    started.has(Grid.class, grid);
    jobs =
        Node.await(started.start(Jobs.part(JobsOptions.DEFAULT.slots(0).queueLimit(QUEUE_LIMIT))));
    parts.add(() -> Node.await(jobs.close()));
    workflows = Node.await(started.start(Workflows.part(new WorkflowsOptions(CREDIT))));
    parts.add(() -> Node.await(workflows.close()));
    workflows
        .workers()
        .handle(
            HANDLER,
            step -> {
              var unused = handled.incrementAndGet();
              each.accept(step.input().path("input"));
              return Future.succeededFuture(NOTHING);
            });
    var unused =
        Node.await(
            workflows.put(
                Workflow.define(WORKFLOW)
                    .step("only", "handler:" + HANDLER, s -> s)
                    .build()
                    .definition()));
    sources = Node.await(started.start(Sources.part(SourcesOptions.of(config, List.of()))));
    parts.add(() -> Node.await(sources.close()));
  }

  /** Returns the configuration of a source whose messages start the workflow. */
  static JsonObject running(String kind, JsonObject settings) {
    return running(kind, settings, new JsonObject().put("id", "${/id}"));
  }

  /** Returns that of one whose workflows have an input of this template. */
  static JsonObject running(String kind, JsonObject settings, JsonObject input) {
    return source(kind, settings)
        .put("start", new JsonObject().put("workflow", WORKFLOW).put("input", input));
  }

  /** Returns the configuration of a source whose messages are told. */
  static JsonObject telling(String kind, JsonObject settings) {
    return source(kind, settings)
        .put(
            "start",
            new JsonObject()
                .put("tell", EAR)
                .put("type", "note")
                .put("message", new JsonObject().put("id", "${/id}")));
  }

  private static JsonObject source(String kind, JsonObject settings) {
    JsonObject source = new JsonObject().put("kind", kind).put("settings", settings);
    return kind.equals(SourceConfig.HTTP) ? source : source.put("credit", CREDIT);
  }

  /** Starts the actor that is told. */
  void listen() throws Exception {
    var unused = node.spawn(EAR, Ear::new);
  }

  /** Starts the node's HTTP server; returns its port. */
  int serve() throws Exception {
    DashboardServer served = Node.await(started.start(DashboardServer.on(0)));
    parts.add(() -> Node.await(served.close()));
    return served.port();
  }

  /** Returns the number of messages that were handled here. */
  long handled() {
    return handled.get();
  }

  SourceView view(String source) {
    try {
      return Node.await(sources.source(source));
    } catch (Exception e) {
      throw new IllegalStateException("source %s cannot be seen".formatted(source), e);
    }
  }

  /** Waits until all are open, and lets none of them poll. */
  void rest() throws Exception {
    for (SourceConfig each : sources.configs()) {
      if (each.isPolled()) {
        pause(each.name());
        Load.await(
            "source " + each.name(),
            LIMIT,
            () -> view(each.name()).status() == SourceStatus.PAUSED);
      }
    }
  }

  private void pause(String source) throws Exception {
    var unused = Node.await(sources.pause(source, BY));
  }

  /**
   * Puts messages into the queue of a paused source; returns how many a second are completed, from
   * when it may poll until the last is acknowledged.
   */
  double run(String source, Supply supply, int count) throws Exception {
    SourceTotals before = view(source).totals();
    long target = handled.get() + count;
    supply.put(count);
    long begun = System.nanoTime();
    Future<SourceView> resumed = sources.resume(source, BY);
    Load.await("each message of " + source, LIMIT, () -> handled.get() >= target);
    Load.await(
        "each acknowledgement to " + source,
        LIMIT,
        () -> view(source).totals().minus(before).completed() >= count);
    double seconds = (System.nanoTime() - supply.begunNanos(begun)) / 1e9;
    var unused = Node.await(resumed);
    pause(source);
    SourceTotals totals = view(source).totals().minus(before);
    if (!totals.equals(new SourceTotals(count, count, 0, 0, 0, 0, 0)) || handled.get() != target) {
      throw new IllegalStateException(
          "of %d messages of %s, %s, and one too often %d times"
              .formatted(count, source, totals, handled.get() - target));
    }
    if (supply.left() != 0) {
      throw new IllegalStateException(
          "%s has %d messages that were acknowledged".formatted(source, supply.left()));
    }
    return count / seconds;
  }

  @Override
  public void close() {
    parts.close();
  }
}
