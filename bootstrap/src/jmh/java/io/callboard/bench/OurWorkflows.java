package io.callboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.admin.CommitCounts;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.workflows.StartRequest;
import io.callboard.workflows.StepContext;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.definition.WorkflowDefinition;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowRetention;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Our workflows, on one node with its workers and a ZooKeeper server that flushes each transaction:
 * the engine as a user starts it, with handlers that do nothing.
 */
final class OurWorkflows extends WorkflowRunner {
  private static final String NAME = "ten-steps";
  private static final String HANDLER = "no-op@1";
  private static final int QUEUE_LIMIT = 100_000;

  /** Ended instances that are kept: those of all rounds, as they are counted. */
  private static final int ENDED = 1_000_000;

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

  private final Parts parts = new Parts();
  private final Callboard callboard;
  private final Workflows workflows;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  OurWorkflows(Stage stage, String servers) throws Exception {
    Node node = Node.alone(servers);
    parts.add(node::close);
    callboard = node.callboard();
    Grid grid = Node.await(Grid.start(callboard, GridOptions.DEFAULT));
    StartedParts started = StartedParts.of(callboard, stage.directory("node"), callboard.node());
    started.has(Grid.class, grid);
    Jobs jobs =
        Node.await(started.start(Jobs.part(JobsOptions.DEFAULT.slots(0).queueLimit(QUEUE_LIMIT))));
    parts.add(() -> Node.await(jobs.close()));
    WorkflowsOptions limits =
        new WorkflowsOptions(UNDER_WAY).retention(new WorkflowRetention(ENDED, Duration.ofDays(1)));
    workflows = Node.await(started.start(Workflows.part(limits)));
    parts.add(() -> Node.await(workflows.close()));
    workflows.workers().handle(HANDLER, this::run);
    var unused = Node.await(workflows.put(definition()));
  }

  private static WorkflowDefinition definition() {
    Workflow workflow = Workflow.define(NAME);
    for (int step = 0; step < TenSteps.COUNT; step++) {
      int number = step;
      workflow.step(
          TenSteps.id(step),
          "handler:" + HANDLER,
          s -> {
            TenSteps.sources(number).forEach(source -> s.after(TenSteps.id(source)));
            return s;
          });
    }
    return workflow.build().definition();
  }

  /** Does nothing; the last step makes room for another instance. */
  private Future<JsonNode> run(StepContext step) {
    if (TenSteps.targets(TenSteps.number(step.step())).isEmpty()) {
      ended();
    }
    return Future.succeededFuture(NOTHING);
  }

  @Override
  void begin() {
    workflows.run(StartRequest.of(NAME)).onFailure(failure::set);
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("an instance was not accepted", failed);
    }
  }

  /** Waits until the end of each instance is durable: the last steps report theirs before that. */
  @Override
  void awaitDurable(long instances) throws Exception {
    Load.await("each instance's durable end", LIMIT, () -> succeeded() == instances);
  }

  private long succeeded() {
    try {
      return Node.await(workflows.counts()).stream()
          .filter(count -> count.state() == InstanceState.SUCCEEDED)
          .mapToLong(InstanceCount::count)
          .sum();
    } catch (Exception e) {
      throw new IllegalStateException("the instances cannot be counted", e);
    }
  }

  @Override
  void check(long instances) throws Exception {
    if (succeeded() != instances) {
      throw new IllegalStateException(
          "of %d instances %s".formatted(instances, Node.await(workflows.counts())));
    }
  }

  /** Prints what was written for each instance; a turn is one unit. */
  private void reportWrites() throws Exception {
    CommitCounts commits = callboard.admin().metrics().commits();
    double instances = succeeded();
    Progress.say(
        "written for each of %.0f instances: %.1f units, %.1f operations; %.1f units in a commit of p50 %.1f ms"
            .formatted(
                instances,
                commits.units() / instances,
                commits.operations() / instances,
                (double) commits.units() / commits.unitsPerCommit().count(),
                commits.latency().quantile(0.5) / 1e6));
  }

  @Override
  public void close() throws Exception {
    super.close();
    try {
      reportWrites();
    } finally {
      parts.close();
    }
  }
}
