package io.callboard.dashboard.internal.bulk;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.dashboard.internal.bulk.BulkStatus.State;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs of a node that is gone, whose news came by the broadcast that all nodes hear. */
class BulkPeersTest {
  private static final Instant START = Instant.parse("2026-11-29T09:00:00Z");

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime(START);

  private Callboard callboard;
  private BulkPeers peers;

  @BeforeEach
  void open() {
    callboard = nodes.open("n1", options -> options.time(time));
    peers = new BulkPeers(callboard);
  }

  @AfterEach
  void close() {
    peers.close();
  }

  private static BulkStatus status(int second, State state, int done, @Nullable Instant end) {
    return new BulkStatus(
        "n2",
        "retry",
        "ada",
        "",
        state,
        null,
        null,
        80,
        done,
        1,
        List.of(new BulkFailure("i1", "ILLEGAL_STATE", "why")),
        10,
        START.plusSeconds(second),
        end);
  }

  private void tells(String boot, BulkStatus status) {
    BulkPeers.News news = new BulkPeers.News(boot, "workflows", status);
    await(callboard.broadcast("bulk-actions", BulkPeers.News.class).publish(news));
  }

  private List<BulkStatus> gone() {
    return await(peers.gone("workflows"));
  }

  private void awaitGone(int count) {
    Eventually.assertThat(() -> assertThat(gone()).hasSize(count));
  }

  @Test
  void theProgressOfARunIsKnownAfterItsNodeHasDied() {
    tells("dead", status(0, State.RUNNING, 20, null));
    tells("dead", status(0, State.RUNNING, 24, null));
    awaitGone(1);
    Eventually.assertThat(() -> assertThat(gone().get(0).done()).isEqualTo(24));
    BulkStatus left = gone().get(0);
    assertThat(left.state()).isEqualTo(State.INTERRUPTED);
    assertThat(left.why())
        .isEqualTo("its node n2 has gone; when it was heard of last, 55 of 80 were not done");
    assertThat(await(peers.gone("jobs"))).isEmpty();
  }

  @Test
  void anEndedRunOfANodeThatIsGoneStaysEndedAndTheLatestIsFirst() {
    tells("dead", status(0, State.ENDED, 79, START.plusSeconds(9)));
    tells("dead", status(10, State.RUNNING, 0, null));
    tells(callboard.bootId(), status(20, State.RUNNING, 0, null));
    awaitGone(2);
    assertThat(gone())
        .extracting(BulkStatus::state)
        .containsExactly(State.INTERRUPTED, State.ENDED);
  }

  @Test
  void lateNewsDoNotReplaceTheLatest() {
    tells("dead", status(0, State.RUNNING, 24, null));
    tells("dead", status(0, State.RUNNING, 20, null));
    tells("dead", status(1, State.ENDED, 79, START.plusSeconds(9)));
    tells("dead", status(1, State.RUNNING, 79, null));
    tells("dead", status(2, State.RUNNING, 0, null));
    awaitGone(3);
    assertThat(gone()).extracting(BulkStatus::done).containsExactly(0, 79, 24);
    assertThat(gone().get(1).state()).isEqualTo(State.ENDED);
  }

  @Test
  void aNodeThatJoinsLearnsWhatTheOthersKnow() {
    tells("dead", status(0, State.RUNNING, 24, null));
    awaitGone(1);
    try (BulkPeers joins = new BulkPeers(callboard, "joins")) {
      Eventually.assertThat(
          () -> {
            time.advance(BulkPeers.ANSWERED);
            assertThat(await(joins.gone("workflows"))).hasSize(1);
          });
    }
  }

  @Test
  void aNodeThatJoinsIsAnsweredByOneNode() {
    List<BulkPeers.News> told = new CopyOnWriteArrayList<>();
    Runnable end = callboard.broadcast("bulk-actions", BulkPeers.News.class).subscribe(told::add);
    try (BulkPeers other = new BulkPeers(callboard, "other")) {
      BulkStatus status = status(0, State.RUNNING, 24, null);
      tells("dead", status);
      tells("joins", null);
      allHear(other, 1);
      Duration one = BulkPeers.pause(callboard.bootId(), "joins");
      Duration two = BulkPeers.pause("other", "joins");
      assertThat(one).isNotEqualTo(two);
      time.advance(one.compareTo(two) < 0 ? one : two);
      allHear(other, 2);
      time.advance(BulkPeers.ANSWERED);
      allHear(other, 3);
      Eventually.assertThat(() -> assertThat(told).last().matches(news -> second(news) == 3));
      assertThat(told).filteredOn(news -> status.equals(news.status())).hasSize(2);
    } finally {
      end.run();
    }
  }

  /** Waits until both nodes have heard all that was told before. */
  private void allHear(BulkPeers other, int second) {
    tells("dead", status(second, State.RUNNING, 0, null));
    awaitGone(second + 1);
    Eventually.assertThat(() -> assertThat(await(other.gone("workflows"))).hasSize(second + 1));
  }

  private static long second(BulkPeers.News news) {
    return news.status() == null
        ? 0
        : Duration.between(START, news.status().startedAt()).toSeconds();
  }

  @Test
  void theOldestRunsAreForgotten() {
    for (int i = 0; i <= BulkPeers.MOST; i++) {
      tells("dead", status(i, State.RUNNING, i, null));
    }
    Eventually.assertThat(
        () -> assertThat(gone()).isNotEmpty().first().extracting(BulkStatus::done).isEqualTo(100));
    assertThat(gone()).hasSize(BulkPeers.MOST).last().extracting(BulkStatus::done).isEqualTo(1);
  }
}
