package io.callboard.pollers;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.SourceNodes.SourceNode;
import io.callboard.pollers.model.SourceStatus;
import io.callboard.pollers.model.SourceView;
import io.callboard.pollers.source.PlayedQueue;
import io.callboard.testkit.Eventually;
import io.callboard.time.Time;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.InstanceState;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A source that moves between two nodes, with ZooKeeper. */
@Tag("long")
@Tag("real")
class SourcesCellTest {
  private static final int MESSAGES = 12;

  private final PlayedKind kind = new PlayedKind(Time.SYSTEM);
  private final PlayedQueue queue = kind.queue("in");
  private final Map<String, AtomicInteger> instances = new ConcurrentHashMap<>();
  private final Promise<Void> gate = Promise.promise();
  private SourceNodes cell;

  @BeforeEach
  void start() throws Exception {
    cell = new SourceNodes();
  }

  @AfterEach
  void stop() {
    gate.tryComplete();
    cell.close();
  }

  private SourceNode open(String name) throws Exception {
    SourceNode node = cell.open(name);
    node.workflows()
        .workers()
        .handle(
            "count",
            step -> {
              String key = step.input().get("input").asText() + "/" + step.instance();
              instances.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
              return gate.future().map(v -> step.input());
            });
    return node;
  }

  private Sources sources(SourceNode node) {
    JsonObject config =
        new JsonObject(
            """
            {"in": {"kind": "played", "settings": {"queue": "in"}, "credit": 5,
                    "start": {"workflow": "count"}}}
            """);
    return await(
        Sources.start(
            node.callboard(),
            node.grid(),
            node.jobs(),
            node.workflows(),
            SourcesOptions.of(config, List.of(kind))));
  }

  private static String holder(Sources sources) {
    SourceView view = await(sources.source("in"));
    return view.node() == null ? "" : view.node();
  }

  /** Waits until the source is full and both nodes name the same holder, and returns it. */
  private static String holderOfAll(Map<String, Sources> sources) {
    AtomicReference<String> first = new AtomicReference<>("");
    Eventually.assertThat(
        () -> {
          SourceView view = await(sources.get("n1").source("in"));
          assertThat(view.status()).isEqualTo(SourceStatus.FULL);
          assertThat(view.node()).isNotNull();
          assertThat(holder(sources.get("n2"))).as("at the other node").isEqualTo(view.node());
          first.set(view.node());
        });
    return first.get();
  }

  private void passes(boolean gracefully) throws Exception {
    SourceNode one = open("n1");
    SourceNode two = open("n2");
    assertThat(
            await(
                    one.workflows()
                        .put(
                            Workflow.define("count")
                                .step("a", "handler:count", s -> s)
                                .build()
                                .definition()))
                .isNew())
        .isTrue();
    Map<String, Sources> sources = new TreeMap<>(Map.of("n1", sources(one), "n2", sources(two)));
    String[] bodies = IntStream.range(0, MESSAGES).mapToObj(String::valueOf).toArray(String[]::new);
    queue.put(bodies);
    String first = holderOfAll(sources);
    assertThat(await(sources.get("n2").pause("in", "ann")).mode()).isNotNull();
    assertThat(await(sources.get("n2").resume("in", "ann")).modeBy()).isEqualTo("ann");
    SourceNode leaves = first.equals("n1") ? one : two;
    String second = first.equals("n1") ? "n2" : "n1";
    if (gracefully) {
      await(sources.get(first).close());
      leaves.close();
    } else {
      leaves.kill();
    }
    cell.closed(leaves);
    Eventually.assertThat(() -> assertThat(holder(sources.get(second))).isEqualTo(second));
    gate.complete();
    Eventually.assertThat(() -> assertThat(queue.completed()).containsExactlyInAnyOrder(bodies));
    SourceNode stays = first.equals("n1") ? two : one;
    Map<String, Integer> succeeded = new TreeMap<>();
    for (String key : instances.keySet()) {
      String[] parts = key.split("/", 2);
      InstanceState state = await(stays.workflows().instance(parts[1])).state();
      succeeded.merge(parts[0], state == InstanceState.SUCCEEDED ? 1 : 0, Integer::sum);
      if (gracefully) { // else a step may be lost with its worker, and a further attempt be made
        assertThat(state).as(key).isEqualTo(InstanceState.SUCCEEDED);
      }
    }
    assertThat(succeeded).as("instances that ended well, by message").hasSize(MESSAGES);
    assertThat(succeeded.values()).containsOnly(1);
    assertThat(queue.aside()).isEmpty();
    await(sources.get(second).close());
  }

  @Test
  void aNodeThatClosesLeavesItsSourceToAnother() throws Exception {
    passes(true);
  }

  @Test
  void aNodeThatGoesLosesNothingAndNothingStartsTwice() throws Exception {
    passes(false);
  }
}
