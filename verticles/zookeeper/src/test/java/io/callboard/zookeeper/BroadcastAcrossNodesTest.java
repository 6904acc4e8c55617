package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.testkit.Eventually;
import io.vertx.core.eventbus.EventBusOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** News that reach the subscribers on all nodes of a cell. */
@Tag("real")
class BroadcastAcrossNodesTest {
  sealed interface News {
    record Price(String item, int cents) implements News {}

    record Note(String text) implements News {}

    record Marker(int n) implements News {}
  }

  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("broadcasts");

  @AutoClose private final ClusteredNodes nodes = new ClusteredNodes(server);
  private final Callboard here = nodes.open("here");
  private final Broadcast<News> prices = here.broadcast("prices", News.class);

  /** Returns the list of news that a node hears from now on, once it is known to hear. */
  private List<News> hears(Callboard node) {
    List<News> heard = new CopyOnWriteArrayList<>();
    var unused = node.broadcast("prices", News.class).subscribe(heard::add);
    int[] marker = {0};
    Eventually.assertThat(
        () -> {
          await(prices.publish(new News.Marker(marker[0]++)));
          assertThat(heard).isNotEmpty();
        });
    return heard;
  }

  private static List<News> without(List<News> heard) {
    return heard.stream().filter(news -> !(news instanceof News.Marker)).toList();
  }

  @Test
  void newsReachAllNodesInTheOrderInWhichTheyWerePublished() {
    List<List<News>> heard =
        List.of(hears(here), hears(nodes.open("there")), hears(nodes.open("yonder")));
    List<News> all = IntStream.range(0, 500).<News>mapToObj(n -> new News.Price("it", n)).toList();
    all.forEach(news -> await(prices.publish(news)));
    heard.forEach(each -> Eventually.assertThat(() -> assertThat(without(each)).isEqualTo(all)));
    assertThat(here.admin().metrics().links().broadcastsDropped()).isZero();
    assertThat(here.admin().metrics().links().broadcastsOut()).isGreaterThanOrEqualTo(1_000);
  }

  @Test
  void ofNewsOfOneKeyThatWaitOnlyTheLastTravels() {
    List<News> there = hears(nodes.open("there"));
    for (int n = 0; n < 50_000; n++) {
      await(prices.publish("it", new News.Price("it", n)));
    }
    await(prices.publish("other", new News.Price("other", 1)));
    Eventually.assertThat(() -> assertThat(without(there)).endsWith(new News.Price("other", 1)));
    List<News> priced = without(there);
    assertThat(priced).hasSizeLessThan(10_000).contains(new News.Price("it", 49_999));
    assertThat(priced.subList(0, priced.size() - 1))
        .extracting(news -> ((News.Price) news).cents())
        .isSorted();
    assertThat(here.admin().metrics().links().broadcastsDropped()).isZero();
  }

  @Test
  void aSubscriberHearsOnlyWhatIsPublishedUntilItEnds() {
    List<News> first = new CopyOnWriteArrayList<>();
    Runnable end = prices.subscribe(first::add);
    await(prices.publish(new News.Note("one")));
    Eventually.assertThat(() -> assertThat(first).hasSize(1));
    end.run();
    List<News> late = hears(nodes.open("there"));
    await(prices.publish(new News.Note("two")));
    Eventually.assertThat(() -> assertThat(without(late)).containsExactly(new News.Note("two")));
    assertThat(first).containsExactly(new News.Note("one"));
  }

  @Test
  void aSubscriberThatFailsKeepsThemFromNobody() {
    var unused =
        prices.subscribe(
            news -> {
              throw new IllegalStateException("it fails");
            });
    List<News> heard = hears(here);
    await(prices.publish(new News.Note("one")));
    Eventually.assertThat(() -> assertThat(without(heard)).containsExactly(new News.Note("one")));
  }

  @Test
  void newsThatCannotBePublishedIsRefused() {
    assertThatThrownBy(() -> await(prices.publish(new News.Note("x".repeat(256 << 10)))))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.PAYLOAD_TOO_LARGE))
        .hasMessageContaining("prices");
    assertThatThrownBy(() -> here.broadcast("prices", String.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("broadcast \"prices\" carries");
    assertThatThrownBy(() -> here.broadcast("a b", News.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"a b\" is not a broadcast name");
  }

  @Test
  void aNodeThatLeavesIsForgotten() {
    Callboard there = nodes.open("there", new EventBusOptions(), options -> {});
    List<News> heard = hears(there);
    await(there.close());
    List<News> own = hears(here);
    Eventually.assertThat(
        () -> assertThat(await(here.members())).extracting("name").containsExactly("here"));
    await(prices.publish(new News.Note("alone")));
    Eventually.assertThat(() -> assertThat(without(own)).containsExactly(new News.Note("alone")));
    assertThat(without(heard)).isEmpty();
  }
}
