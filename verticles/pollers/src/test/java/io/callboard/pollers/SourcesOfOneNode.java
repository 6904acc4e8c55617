package io.callboard.pollers;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.Callboard;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.pollers.model.PollersException;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.PlayedQueue;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Stillness;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.Workflow;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Node with real workflows, jobs and actors, and a queue that is played, for a test of sources. */
abstract class SourcesOfOneNode {
  private static final Duration STEP = Duration.ofMillis(100);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  final SkippedTime time = new SkippedTime();
  final PlayedKind kind = new PlayedKind(time);
  final PlayedQueue queue = kind.queue("in");
  final List<JsonNode> inputs = new CopyOnWriteArrayList<>();
  final Promise<Void> gate = Promise.promise();
  Callboard callboard;
  private Stillness stillness;
  Grid grid;
  Jobs jobs;
  Workflows workflows;
  @Nullable Sources sources;

  @BeforeEach
  void start() throws Exception {
    callboard = nodes.open("n1", options -> options.time(time));
    stillness = Stillness.of(callboard);
    Path data =
        Files.createDirectories(Path.of("target", "sources-test", UUID.randomUUID().toString()));
    grid = await(Grid.start(callboard, GridOptions.DEFAULT));
    StartedParts parts = StartedParts.of(callboard, data, String.valueOf(data.getFileName()));
    parts.has(Grid.class, grid);
    jobs = await(parts.start(Jobs.part(JobsOptions.DEFAULT.slots(4).queueLimit(50))));
    workflows = await(parts.start(Workflows.part()));
    workflows
        .workers()
        .handle(
            "index",
            step -> {
              inputs.add(step.input().get("input"));
              return Future.succeededFuture(step.input());
            });
    workflows
        .workers()
        .handle(
            "hold",
            step -> {
              inputs.add(step.input().get("input"));
              return gate.future().map(v -> step.input());
            });
    workflows
        .workers()
        .handle(
            "fail",
            step -> {
              inputs.add(step.input().get("input"));
              return Future.failedFuture("no ink");
            });
    for (String each : List.of("index", "hold", "fail")) {
      put(each, "handler:" + each);
    }
  }

  void put(String name, String run) {
    assertThat(
            await(workflows.put(Workflow.define(name).step("a", run, s -> s).build().definition()))
                .isNew())
        .isTrue();
  }

  @AfterEach
  void stop() {
    if (sources != null) {
      await(sources.close());
    }
    await(workflows.close());
    await(jobs.close());
  }

  /** Starts one source, {@code in}, with these keys of its configuration. */
  Sources source(String keys) {
    return all("'in': {'kind': 'played', 'settings': {'queue': 'in'}, %s}".formatted(keys));
  }

  Sources all(String json) {
    JsonObject config = new JsonObject("{%s}".formatted(json).replace('\'', '"'));
    Sources made =
        await(
            Sources.start(
                callboard, grid, jobs, workflows, SourcesOptions.of(config, List.of(kind))));
    sources = made;
    return made;
  }

  /** Skips time until {@code assertion} holds, step by step: nothing in the node is late by it. */
  void eventually(Runnable assertion) {
    Eventually.assertThat(
        () -> {
          time.skip(STEP, stillness);
          assertion.run();
        });
  }

  SourceView view() {
    return await(sources.source("in"));
  }

  void status(SourceStatus status) {
    eventually(() -> assertThat(view().status()).isEqualTo(status));
  }

  void completed(String... bodies) {
    eventually(() -> assertThat(queue.completed()).containsExactlyInAnyOrder(bodies));
  }

  void dead(String body, String cause) {
    eventually(
        () -> {
          assertThat(queue.aside()).hasSize(1);
          assertThat(queue.aside().get(0).body()).hasToString(body);
          assertThat(queue.aside().get(0).cause()).contains(cause);
        });
  }

  static PollersException refused(Future<?> future) {
    return catchThrowableOfType(PollersException.class, () -> await(future));
  }
}
