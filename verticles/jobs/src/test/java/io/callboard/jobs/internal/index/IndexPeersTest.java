package io.callboard.jobs.internal.index;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.answering;
import static io.callboard.testkit.SampleActors.idle;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.grid.internal.index.Coverage;
import io.callboard.grid.internal.index.MemberAnswers;
import io.callboard.grid.internal.index.MemberQuestions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Stillness;
import io.vertx.core.Future;
import java.time.Duration;
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
            answering(IndexCommand.class, asked -> page),
            new ActorOptions().onBus(true)));
  }

  /** Lets the other member be silent: what is asked of it is heard, and not answered. */
  private void isSilent() {
    await(
        here.spawn(
            IndexActor.path(without.node()),
            idle(IndexCommand.class),
            new ActorOptions().onBus(true)));
  }

  private Future<CellPage> ask() {
    return peers.page(SampleJobs.all(true, 9), 9, List.of());
  }

  /** Asks and lets time pass until there is an answer. */
  private CellPage page() {
    return over(ask()).result();
  }

  /** Lets time pass until there is an answer, or none is waited for any more. */
  private <T> Future<T> over(Future<T> answer) {
    Eventually.assertThat(
        () -> {
          Stillness.of(without).await(); // so that no question is under way for long
          time.advance(IndexPeers.ASK_AGAIN);
          assertThat(answer.isComplete()).isTrue();
        });
    return answer;
  }

  private Duration since(long beginNs) {
    return Duration.ofNanos(time.nanoTime() - beginNs);
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

  @Test
  void aSilentMemberHoldsTheRowsOfOthersForItsLimitOnceAndIsNamed() {
    RowRef row = new RowRef(SampleJobs.id(0), 1);
    answer(
        new IndexAnswer.Page(
            List.of(row), List.of(), new Coverage(Map.of(index.partition(row.id()), 1L), false)));
    isSilent();
    for (int round = 0; round < 2; round++) {
      long beginNs = time.nanoTime();
      CellPage page = page();
      assertThat(since(beginNs))
          .as("it is waited for, and no longer")
          .isBetween(
              MemberQuestions.ANSWER,
              MemberQuestions.ANSWER.plus(IndexPeers.ASK_AGAIN.multipliedBy(2)));
      lacksTheOther(page, row);
      beginNs = time.nanoTime();
      lacksTheOther(await(ask()), row);
      assertThat(since(beginNs)).as("it is not asked again at once").isZero();
      time.advance(MemberAnswers.SILENCE);
    }
  }

  private static void lacksTheOther(CellPage page, RowRef row) {
    assertThat(page.rows()).containsExactly(row);
    assertThat(page.complete()).isFalse();
    assertThat(page.missing()).containsExactly("without");
  }

  private Future<IndexAnswer.HandedOver> handOver(int partition) {
    return peers.handOver(
        without.node(), new IndexCommand.HandOver(partition, 1, HandedRow.FORMAT, null));
  }

  @Test
  void aFormerOwnerThatIsSilentIsAskedForItsOtherPartitionsAMomentLater() {
    isSilent();
    long beginNs = time.nanoTime();
    assertThat(over(handOver(0)).failed()).isTrue();
    assertThat(since(beginNs)).isGreaterThanOrEqualTo(MemberQuestions.ANSWER);
    assertThat(handOver(1).cause()).hasMessage("node without did not answer a moment ago");
    time.advance(MemberAnswers.SILENCE);
    Future<IndexAnswer.HandedOver> again = handOver(1);
    assertThat(again.isComplete()).as("it is asked").isFalse();
    assertThat(over(again).failed()).isTrue();
  }
}
