package io.callboard.workflows.internal.index;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.answering;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.grid.internal.index.CellRows;
import io.callboard.grid.internal.index.Coverage;
import io.callboard.grid.internal.index.MemberAnswers;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceCounts;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Questions of a node to the indexes of two partitions; it answers for the first one itself. */
class InstancePeersTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime();
  private final InstanceIndex index = new InstanceIndex(SampleRows.PREFIX, 2);
  private Callboard here;
  private InstancePeers peers;

  @BeforeEach
  void start() {
    here = nodes.open("here", options -> options.time(time));
    Callboard unused = nodes.open("without", options -> options.time(time));
    peers = new InstancePeers(here, index);
    await(peers.start());
  }

  private void answer(InstancesAnswer page) {
    await(
        here.spawn(
            InstancesActor.path(here.node()),
            answering(InstancesCommand.class, asked -> page),
            new ActorOptions().onBus(true)));
  }

  private Future<CellRows<InstanceRow>> ask() {
    return peers.rows(WorkflowQuery.newest(9), 9);
  }

  /** Asks and lets time pass until there is an answer. */
  private CellRows<InstanceRow> page() {
    Future<CellRows<InstanceRow>> page = ask();
    Eventually.assertThat(
        () -> {
          time.advance(InstancePeers.ASK_AGAIN);
          assertThat(page.isComplete()).isTrue();
        });
    return page.result();
  }

  @Test
  void aPageFailsIfTheAnswersCannotBeMerged() {
    InstanceRow good = SampleRows.row(1, 1, InstanceState.RUNNING);
    InstanceRow row =
        new InstanceRow(
            "no id",
            good.change(),
            good.definition(),
            good.version(),
            good.state(),
            good.priority(),
            good.labels(),
            good.parent(),
            good.createdAt(),
            good.endedAt(),
            good.steps());
    answer(new InstancesAnswer.Rows(List.of(row), new Coverage(Map.of(0, 1L, 1, 1L), false)));
    Future<CellRows<InstanceRow>> page = ask();
    Eventually.assertThat(() -> assertThat(page.isComplete()).isTrue());
    assertThat(page.cause()).hasMessageContaining("no id");
  }

  @Test
  void numbersNameAMemberThatDoesNotAnswer() {
    answer(
        new InstancesAnswer.Counts(
            List.of(new InstanceCount("even", "v0", InstanceState.RUNNING, 3)),
            new Coverage(Map.of(0, 1L), false)));
    InstanceCounts counts = await(peers.counts());
    assertThat(counts.items()).hasSize(1);
    assertThat(counts.partial()).isTrue();
    assertThat(counts.missing()).containsExactly("without");
  }

  @Test
  void aMemberWithoutAnIndexIsNamedAndNotWaitedForAgain() {
    answer(new InstancesAnswer.Rows(List.of(), new Coverage(Map.of(0, 1L), false)));
    long beginNs = time.nanoTime();
    CellRows<InstanceRow> page = page();
    assertThat(time.nanoTime() - beginNs)
        .as("it may be starting")
        .isGreaterThan(InstancePeers.SETTLE.toNanos());
    assertThat(page.complete()).isFalse();
    assertThat(page.missing()).containsExactly("without");
    time.advance(MemberAnswers.STARTING);
    assertThat(page().missing()).containsExactly("without");
    beginNs = time.nanoTime();
    assertThat(await(ask()).missing()).containsExactly("without");
    assertThat(time.nanoTime()).as("nothing is waited for").isEqualTo(beginNs);
  }
}
