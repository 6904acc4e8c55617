package io.callboard.workflows.internal.index;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.grid.internal.index.CellRows;
import io.callboard.store.StoredActor;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Stillness;
import io.callboard.workflows.internal.index.SampleInstance.SampleCommand;
import io.callboard.workflows.internal.index.SampleInstance.SampleState;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Indexes of nodes of one cell, while partitions move. */
class CellInstancesTest {
  private static final int INSTANCES = 60;
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final ActorOptions OPTIONS = new ActorOptions().onBus(false);

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final Map<String, CellInstances> indexes = new TreeMap<>();

  private Callboard open(String name) {
    Callboard node = nodes.open(name);
    CellInstances index =
        new CellInstances(
            node,
            SampleRows.PREFIX,
            new InstanceRecords() {
              @Override
              public Optional<InstanceRow> row(StoredActor actor) {
                return SampleInstance.stored(actor);
              }

              @Override
              public Future<?> wake(ActorPath instance) {
                return node.durableRef(instance.toString(), SampleCommand.class)
                    .ask(new SampleCommand.Look(), SampleState.class, LONG);
              }
            },
            List::of);
    indexes.put(name, index);
    await(index.start(OPTIONS));
    await(node.host(SampleRows.PREFIX, () -> new SampleInstance(index), OPTIONS));
    index.hosted();
    return node;
  }

  /** Their mail would be told to be that of nobody: most of them have ended long ago. */
  @Test
  void instancesAreWokenOnceTheNodeHostsThem() {
    Callboard first = open("first");
    set(first, 1, InstanceState.RUNNING);
    await(indexes.remove("first").close());
    nodes.close();
    Callboard node = nodes.open("second");
    List<String> woken = new CopyOnWriteArrayList<>();
    CellInstances index =
        new CellInstances(
            node,
            SampleRows.PREFIX,
            new InstanceRecords() {
              @Override
              public Optional<InstanceRow> row(StoredActor actor) {
                return Optional.empty();
              }

              @Override
              public Future<?> wake(ActorPath instance) {
                woken.add(instance.name());
                return Future.succeededFuture();
              }
            },
            List::of);
    indexes.put("second", index);
    await(index.start(OPTIONS));
    await(node.host(SampleRows.PREFIX, () -> new SampleInstance(index), OPTIONS));
    Eventually.isTrue("owned", () -> index.here().isOwned(SampleRows.id(1)));
    Stillness.of(node).await();
    assertThat(index.here().coverage().epochs()).isEmpty();
    assertThat(woken).isEmpty();
    index.hosted();
    Eventually.assertThat(() -> assertThat(woken).containsExactly(SampleRows.id(1)));
  }

  private static void set(Callboard node, int number, InstanceState state) {
    await(
        node.durableRef(SampleRows.PREFIX + "/" + SampleRows.id(number), SampleCommand.class)
            .ask(new SampleCommand.Set(state), SampleState.class, LONG));
  }

  private static boolean isRight(InstanceRow row) {
    int number = Integer.parseInt(row.id().substring(15, 18), 16);
    return row.state() == (number % 2 == 0 ? InstanceState.SUCCEEDED : InstanceState.RUNNING);
  }

  /** The nodes index all instances together, each once, with the states that were set last. */
  private void isWhole() {
    Eventually.assertThat(
        () -> {
          List<InstanceRow> all = new ArrayList<>();
          Set<Integer> partitions = new HashSet<>();
          for (CellInstances index : indexes.values()) {
            all.addAll(index.here().page(WorkflowQuery.newest(99), 99));
            partitions.addAll(index.here().coverage().epochs().keySet());
            assertThat(index.here().counts().stream().mapToLong(InstanceCount::count).sum())
                .isEqualTo(index.here().page(WorkflowQuery.newest(99), 99).size());
          }
          assertThat(partitions).hasSize(indexes.values().iterator().next().here().partitions());
          assertThat(all).hasSize(INSTANCES).allMatch(CellInstancesTest::isRight);
        });
  }

  @Test
  void listsAreWholeWhileNodesJoinAndLeave() {
    Callboard first = open("first");
    for (int number = 0; number < INSTANCES; number++) {
      set(first, number, InstanceState.RUNNING);
      if (number % 2 == 0) {
        set(first, number, InstanceState.SUCCEEDED);
      }
    }
    isWhole();
    CellRows<InstanceRow> page =
        await(indexes.get("first").peers().rows(WorkflowQuery.newest(9), 9));
    assertThat(page.complete()).isTrue();
    assertThat(page.rows()).hasSize(9);
    assertThat(await(indexes.get("first").peers().counts()).items())
        .contains(new InstanceCount("even", "v0", InstanceState.SUCCEEDED, 10));
    open("second");
    isWhole();
    Eventually.assertThat(
        () ->
            assertThat(indexes.get("second").here().coverage().epochs())
                .as("it takes its share")
                .isNotEmpty());
    isWhole();
    indexes.remove("first");
    nodes.close(first);
    isWhole();
  }
}
