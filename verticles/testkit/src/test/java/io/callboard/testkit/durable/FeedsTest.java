package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.feed.Feed;
import io.callboard.feed.FeedSink;
import io.callboard.feed.Feeds;
import io.callboard.journal.FeedEvent;
import io.callboard.store.StoreException;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Stage;
import io.callboard.topic.Topic;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FeedsTest {
  private static final int PLAYERS = 20;
  private static final int THROWS = 60;
  private static final Duration LONG = Duration.ofSeconds(10);

  sealed interface Play {
    record Throw(int hops) implements Play {}

    record Quit() implements Play {}

    record Heavy(int balls, int bytes) implements Play {}
  }

  record Caught(String by, int hops, String ballast) {}

  record Score(int balls) {}

  sealed interface Watch {
    record Saw(FeedEvent what) implements Watch {}

    record Count() implements Watch {}
  }

  record Seen(List<String> balls) {}

  @RegisterExtension final Stage stage = new Stage();
  private final Map<Long, FeedEvent> written = new ConcurrentSkipListMap<>();
  private final List<FeedEvent> archive = new CopyOnWriteArrayList<>();
  private final AtomicInteger writes = new AtomicInteger();
  private volatile int failEvery;

  /** A ball that is caught goes to the next player, with the commit. */
  final class Player extends PersistentActor<Play, Caught, Score> {
    @Override
    protected Score initial() {
      return new Score(0);
    }

    @Override
    protected Score apply(Score score, Caught caught) {
      return new Score(score.balls() + 1);
    }

    @Override
    protected Set<String> tags(Caught caught) {
      return caught.hops() % 2 == 0 ? Set.of("even", "ball") : Set.of("ball");
    }

    @Override
    protected void protocol(Protocol<Play> on) {
      on.message(
              Play.Throw.class,
              ball -> {
                persist(new Caught(path().name(), ball.hops(), ""));
                if (ball.hops() > 0) {
                  int next = (Integer.parseInt(path().name()) + 7) % PLAYERS;
                  tell(player(next), new Play.Throw(ball.hops() - 1));
                }
              })
          .message(
              Play.Heavy.class,
              heavy -> {
                for (int i = 0; i < heavy.balls(); i++) {
                  persist(new Caught("x", 1, "x".repeat(heavy.bytes())));
                }
              })
          .message(Play.Quit.class, quit -> deleteSelf());
    }
  }

  static final class Watcher extends DurableStateActor<Watch, Seen> {
    @Override
    protected Seen initial() {
      return new Seen(List.of());
    }

    @Override
    protected void protocol(Protocol<Watch> on) {
      on.adapt(FeedEvent.class, Watch.Saw::new)
          .message(
              Watch.Saw.class,
              saw -> {
                List<String> all = new ArrayList<>(state().balls());
                all.add(saw.what().position() + " " + saw.what().number());
                update(new Seen(all));
              })
          .query(Watch.Count.class, count -> state());
    }
  }

  private ActorRef<Play> player(int number) {
    return stage.callboard.durableRef("/players/" + number, Play.class);
  }

  private FeedSink sink() {
    return new FeedSink() {
      @Override
      public String id() {
        return "test";
      }

      @Override
      public Future<Void> write(List<FeedEvent> events, boolean begins) {
        return FeedsTest.this.write(events);
      }
    };
  }

  private Future<Void> write(List<FeedEvent> events) {
    if (failEvery > 0 && writes.incrementAndGet() % failEvery == 0) {
      return Future.failedFuture(StoreException.unavailable("no database", null));
    }
    for (FeedEvent each : events) {
      if (each.feed().equals("ball")) {
        FeedEvent before = written.putIfAbsent(each.position(), each);
        assertThat(before == null || before.equals(each)).as("F2: %s", each).isTrue();
      } else if (each.feed().equals(Feeds.ARCHIVE)) {
        archive.add(each);
      }
    }
    return Future.succeededFuture();
  }

  private void play(ActorOptions options) throws Exception {
    await(Feeds.host(stage.callboard, sink()));
    await(stage.callboard.host("/players", Player::new, options));
  }

  private Feed.Status status(String tag) {
    return Feeds.ref(stage.callboard, tag).ask(new Feed.Look(), Feed.Status.class, LONG).await();
  }

  private void throwBalls() throws Exception {
    for (int i = 0; i < THROWS; i++) {
      await(player(i % PLAYERS).tell(new Play.Throw(9)));
    }
  }

  private void awaitAll() {
    Eventually.assertThat(() -> assertThat(written).hasSize(THROWS * 10));
  }

  /**
   * Checks that each player's events are in order, and that none comes before the throw that led to
   * it.
   */
  private void judge() {
    long position = 0;
    Map<String, Long> numbers = new HashMap<>();
    Map<Integer, Integer> balls = new TreeMap<>();
    for (FeedEvent each : written.values()) {
      assertThat(each.position()).isEqualTo(++position);
      assertThat(each.number()).isEqualTo(numbers.merge(each.actor(), 1L, Long::sum));
      int hops = each.event(Caught.class).hops();
      balls.merge(hops, 1, Integer::sum);
      if (hops < 9) {
        assertThat(balls.get(hops)).isLessThanOrEqualTo(balls.getOrDefault(hops + 1, 0));
      }
    }
  }

  @Test
  void eventsComeInTheOrderOfTheirCommits() throws Exception {
    play(QUICK);
    throwBalls();
    awaitAll();
    judge();
    Eventually.assertThat(() -> assertThat(status("even").position()).isEqualTo(THROWS * 5L));
  }

  @Test
  void aSinkThatFailsLosesAndDoublesNothing() throws Exception {
    failEvery = 3;
    play(QUICK);
    throwBalls();
    awaitAll();
    judge();
    assertThat(await(stage.callboard.admin().parked(10))).isEmpty();
  }

  @Test
  void subscribersAreToldEachEventOnceInOrder() throws Exception {
    play(QUICK);
    await(stage.callboard.spawn("/watcher", Watcher::new, QUICK));
    ActorRef<Feed.Command> feed = Feeds.ref(stage.callboard, "ball");
    Feed.Status first = await(feed.ask(new Feed.Subscribe("/watcher"), Feed.Status.class, LONG));
    assertThat(first).isEqualTo(new Feed.Status(0, 1));
    throwBalls();
    ActorRef<Watch> watcher = stage.callboard.durableRef("/watcher", Watch.class);
    Eventually.assertThat(() -> assertThat(seen(watcher)).hasSize(THROWS * 10));
    List<String> expected =
        written.values().stream().map(each -> each.position() + " " + each.number()).toList();
    assertThat(seen(watcher)).isEqualTo(expected);
    Feed.Status last = await(feed.ask(new Feed.Unsubscribe("/watcher"), Feed.Status.class, LONG));
    assertThat(last).isEqualTo(new Feed.Status(THROWS * 10L, 0));
  }

  @Test
  void aTopicTellsItToMore() throws Exception {
    play(QUICK);
    await(stage.callboard.spawn("/watcher", Watcher::new, QUICK));
    await(stage.callboard.spawn("/topic", Topic.of(FeedEvent.class), QUICK));
    ActorRef<Watch> watcher = stage.callboard.durableRef("/watcher", Watch.class);
    ActorRef<Topic.Command> topic = stage.callboard.durableRef("/topic", Topic.Command.class);
    await(
        topic.ask(
            Topic.subscribe(stage.callboard.durableRef("/watcher", FeedEvent.class)),
            Topic.Subscribed.class,
            LONG));
    await(Feeds.ref(stage.callboard, "ball").tell(new Feed.Subscribe("/topic")));
    throwBalls();
    Eventually.assertThat(() -> assertThat(seen(watcher).size()).isEqualTo(THROWS * 10));
  }

  private static List<String> seen(ActorRef<Watch> watcher) {
    return watcher.ask(new Watch.Count(), Seen.class, LONG).await().balls();
  }

  @Test
  void nobodySubscribesWithoutEndOrAFeedToItself() throws Exception {
    play(QUICK);
    ActorRef<Feed.Command> feed = Feeds.ref(stage.callboard, "ball");
    assertThatThrownBy(
            () ->
                await(
                    feed.ask(new Feed.Subscribe("/callboard/feed/ball"), Feed.Status.class, LONG)))
        .hasMessageContaining("cannot subscribe to itself");
    for (int i = 0; i < Feed.MOST_SUBSCRIBERS; i++) {
      await(feed.tell(new Feed.Subscribe("/watcher/" + i)));
    }
    assertThatThrownBy(() -> await(feed.ask(new Feed.Subscribe("/more"), Feed.Status.class, LONG)))
        .hasMessageContaining("which is the limit");
    assertThat(status("ball").subscribers()).isEqualTo(Feed.MOST_SUBSCRIBERS);
  }

  @Test
  void theArchiveHasEventsOfActorsThatAreGone() throws Exception {
    play(new ActorOptions(QUICK).archived(true));
    await(player(1).tell(new Play.Throw(0)));
    await(player(1).tell(new Play.Throw(0)));
    await(player(1).tell(new Play.Quit()));
    await(player(1).tell(new Play.Throw(0)));
    Eventually.assertThat(
        () ->
            assertThat(archive)
                .extracting(each -> each.number() + " " + each.type())
                .containsExactly("1 caught", "2 caught", "0 callboard..ended", "1 caught"));
  }

  @Test
  void largeEventsAreSeveralMessagesOfOneCommit() throws Exception {
    play(new ActorOptions(QUICK).attempts(1));
    await(stage.callboard.spawn("/watcher", Watcher::new, QUICK));
    for (int i = 0; i < Feed.MOST_SUBSCRIBERS - 1; i++) {
      await(Feeds.ref(stage.callboard, "ball").tell(new Feed.Subscribe("/space/watcher" + i)));
    }
    await(Feeds.ref(stage.callboard, "ball").tell(new Feed.Subscribe("/watcher")));
    await(player(1).tell(new Play.Heavy(2, 20_000)));
    await(player(1).tell(new Play.Heavy(12, 29_000)));
    await(player(1).tell(new Play.Heavy(1_000, 100)));
    Eventually.assertThat(() -> assertThat(written.size()).isEqualTo(1_014));
    ActorRef<Watch> watcher = stage.callboard.durableRef("/watcher", Watch.class);
    Eventually.assertThat(() -> assertThat(seen(watcher).size()).isEqualTo(1_014));
    assertThat(await(stage.callboard.admin().parked(10))).isEmpty();
  }

  @Test
  void anEventThatIsTooLargeForAFeedIsRefusedByName() throws Exception {
    play(new ActorOptions(QUICK).attempts(1));
    await(player(1).tell(new Play.Heavy(1, 31_000)));
    Eventually.assertThat(() -> assertThat(stage.callboard.admin().parked(10).await()).hasSize(1));
    assertThat(new String(await(stage.callboard.admin().parked(10)).get(0).bytes(), UTF_8))
        .contains("event caught of /players/1, which goes to feed");
  }

  @Test
  void aTagIsAName() {
    assertThatThrownBy(() -> Feeds.path("a/b")).hasMessageContaining("\"a/b\" is not a tag");
    assertThat(Feeds.path("sold").toString()).isEqualTo("/callboard/feed/sold");
  }
}
