package io.callboard.jobs.index;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.grid.index.MemberAnswers;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Stillness;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Questions of a node to the indexes of two partitions; it answers for the first one itself. */
class IndexPeersTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime(SampleJobs.NOW);
  private final JobIndex index = new JobIndex(2);
  private Callboard here;
  private Callboard without;
  private IndexPeers peers;

  @BeforeEach
  void start() {
    here = nodes.open("here", options -> options.time(time));
    without = nodes.open("without", options -> options.time(time));
    time.stillness(Stillness.of(here));
    peers = new IndexPeers(here, index);
    await(peers.start());
  }

  private void answer(IndexAnswer.Page page) {
    await(
        here.spawn(
            IndexActor.path(here.node()),
            () -> new Answering(page),
            new ActorOptions().onBus(true)));
  }

  /** Index that answers each question alike. */
  private static final class Answering extends Actor<IndexCommand> {
    private final IndexAnswer.Page page;

    Answering(IndexAnswer.Page page) {
      this.page = page;
    }

    @Override
    protected void protocol(Protocol<IndexCommand> on) {
      on.others(asked -> reply(page));
    }
  }

  private Future<CellPage> ask() {
    return peers.page(SampleJobs.all(true, 9), 9, List.of());
  }

  /** Asks and lets time pass until there is an answer. */
  private CellPage page() {
    Future<CellPage> page = ask();
    Eventually.assertThat(
        () -> {
          Stillness.of(without).await(); // so that no question is under way for long
          time.advance(IndexPeers.ASK_AGAIN);
          assertThat(page.isComplete()).isTrue();
        });
    return page.result();
  }

  @Test
  void aPageFailsIfTheAnswersCannotBeMerged() {
    answer(
        new IndexAnswer.Page(
            List.of(new RowRef("no id", 1)), List.of(), new Coverage(Map.of(0, 1L, 1, 1L), false)));
    Future<CellPage> page = ask();
    Eventually.assertThat(() -> assertThat(page.isComplete()).isTrue());
    assertThat(page.cause()).hasMessageContaining("no id");
  }

  @Test
  void aMemberWithoutAnIndexIsNamedAndNotWaitedForAgain() {
    answer(new IndexAnswer.Page(List.of(), List.of(), new Coverage(Map.of(0, 1L), false)));
    long beginNs = time.nanoTime();
    CellPage page = page();
    assertThat(time.nanoTime() - beginNs)
        .as("it may be starting")
        .isGreaterThan(IndexPeers.SETTLE.toNanos());
    assertThat(page.complete()).isFalse();
    assertThat(page.missing()).containsExactly("without");
    time.advance(MemberAnswers.STARTING);
    assertThat(page().missing()).containsExactly("without");
    beginNs = time.nanoTime();
    assertThat(await(ask()).missing()).containsExactly("without");
    assertThat(time.nanoTime()).as("nothing is waited for").isEqualTo(beginNs);
  }
}
