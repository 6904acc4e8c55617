package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorGroup;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.routing.Routers;
import io.callboard.routing.Routing;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Waits;
import io.callboard.topic.Topic;
import io.callboard.topic.Topic.Published;
import io.callboard.topic.Topic.Subscribed;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Adapters, groups, routers and topics whose actors live on two nodes. */
@Tag("real")
class RoutingAcrossNodesTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  sealed interface Event {
    record Happened(int number) implements Event {}

    record Over() implements Event {}
  }

  sealed interface Mine {
    record Ask(int number) implements Mine {}

    record Heard(int number) implements Mine {}

    record Look() implements Mine {}
  }

  record Question(int number) {}

  record Seen(List<Integer> numbers) {}

  record Here(String node) {}

  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
  @RegisterExtension final TwoNodes nodes = new TwoNodes("routing-across-nodes");

  private void expect(String what) throws Exception {
    assertThat(Waits.next(seen)).isEqualTo(what);
  }

  private static Mine mine(Event event) {
    return new Mine.Heard(event instanceof Event.Happened happened ? happened.number() : -1);
  }

  private final class Oracle extends Actor<Question> {
    @Override
    protected void protocol(Protocol<Question> on) {
      on.message(Question.class, question -> reply(new Event.Happened(question.number() + 1)));
    }
  }

  private final class Asker extends Actor<Mine> {
    @Override
    protected void protocol(Protocol<Mine> on) {
      on.adapt(Event.class, RoutingAcrossNodesTest::mine)
          .message(
              Mine.Ask.class,
              ask ->
                  tell(
                      callboard().ref("/oracle", Question.class),
                      new Question(ask.number()),
                      TellOptions.replyTo(self(Event.class))))
          .message(Mine.Heard.class, heard -> seen.add("heard " + heard.number()))
          .message(Mine.Look.class, look -> reply(new Here(callboard().node())));
    }
  }

  private static final class Ledger extends DurableStateActor<Mine, Seen> {
    @Override
    protected Seen initial() {
      return new Seen(List.of());
    }

    @Override
    protected void protocol(Protocol<Mine> on) {
      on.adapt(Event.class, RoutingAcrossNodesTest::mine)
          .message(
              Mine.Ask.class,
              ask ->
                  tell(
                      callboard().ref("/oracle", Question.class),
                      new Question(ask.number()),
                      TellOptions.replyTo(self(Event.class))))
          .message(
              Mine.Heard.class,
              heard -> {
                List<Integer> numbers = new ArrayList<>(state().numbers());
                numbers.add(heard.number());
                update(new Seen(numbers));
              })
          .message(Mine.Look.class, look -> reply(state()));
    }
  }

  private void knows(ActorRef<Mine> ledger, Integer... numbers) {
    Eventually.assertThat(
        () ->
            assertThat(ledger.ask(new Mine.Look(), Seen.class, SOON).await().numbers())
                .containsExactly(numbers));
  }

  /** The listener on the bus of one node is known on the other a moment later. */
  private static void reached(Callboard from, String path) {
    Eventually.assertThat(
        () ->
            assertThat(
                    from.ref(path, Mine.class)
                        .ask(new Mine.Look(), Here.class, SOON)
                        .map(Here::node)
                        .otherwise(cause -> "nobody")
                        .await())
                .isNotEqualTo("nobody"));
  }

  @Test
  void answersOfAnotherNodeAreTranslated() throws Exception {
    ActorRef<Question> unused = await(nodes.there.spawn("/oracle", Oracle::new));
    ActorRef<Mine> asker = await(nodes.here.spawn("/asker", Asker::new));
    reached(nodes.there, "/asker");
    Eventually.assertThat(
        () -> assertThat(askAndHear(asker)).as("the oracle is known here").isTrue());

    ActorRef<Mine> ledger = await(nodes.here.spawn("/ledger", Ledger::new));
    await(ledger.tell(new Mine.Ask(41)));
    knows(ledger, 42);
    await(nodes.there.durableRef("/ledger", Event.class).tell(new Event.Over()));
    knows(ledger, 42, -1);
  }

  private boolean askAndHear(ActorRef<Mine> asker) {
    boolean sent = asker.tell(new Mine.Ask(1)).map(true).otherwise(false).await();
    try {
      return sent && "heard 2".equals(seen.poll(500, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aGroupIsKnownOnEveryNode() throws Exception {
    ActorOptions member = new ActorOptions().group("askers");
    ActorGroup<Mine> here = nodes.here.group("askers", Mine.class);
    BlockingQueue<Integer> sizes = new LinkedBlockingQueue<>();
    Runnable end = here.listen(members -> sizes.add(members.size()));
    assertThat(Waits.next(sizes)).isZero();
    ActorRef<Mine> one = await(nodes.here.spawn("/askers/1", Asker::new, member));
    assertThat(here.members()).containsExactly(one);
    ActorRef<Mine> two = await(nodes.there.spawn("/askers/2", Asker::new, member));
    Eventually.assertThat(() -> assertThat(here.members()).containsExactly(one, two));
    ActorRef<Mine> ledger = await(nodes.there.spawn("/ledger", Ledger::new, member));
    Eventually.assertThat(() -> assertThat(here.members()).containsExactly(one, two, ledger));
    assertThat(here.members().get(2).durable()).isTrue();

    ActorRef<Mine> router =
        await(nodes.here.spawn("/r", Routers.group(Mine.class, "askers", Routing.roundRobin())));
    await(nodes.there.stop("/ledger"));
    Eventually.assertThat(() -> assertThat(here.members()).containsExactly(one, two));
    reached(nodes.here, "/askers/2");
    Set<String> by = new HashSet<>();
    Eventually.assertThat(
        () -> {
          by.add(router.ask(new Mine.Look(), Here.class, SOON).await().node());
          assertThat(by).containsExactlyInAnyOrder("here", "there");
        });

    await(nodes.there.close()); // the node leaves the cell
    Eventually.assertThat(() -> assertThat(here.members()).containsExactly(one));
    Eventually.assertThat(() -> assertThat(List.copyOf(sizes)).contains(1, 2, 3).endsWith(1));
    end.run();
  }

  @Test
  void aTopicReachesDurableAndVolatileSubscribersOfBothNodes() throws Exception {
    ActorRef<Topic.Command> topic =
        await(nodes.here.spawn("/topics/events", Topic.of(Event.class)));
    ActorRef<Mine> ledgerHere = await(nodes.here.spawn("/ledgers-a/1", Ledger::new));
    ActorRef<Mine> ledgerThere = await(nodes.there.spawn("/ledgers-b/1", Ledger::new));
    ActorRef<Mine> screen = await(nodes.there.spawn("/screen", Asker::new));
    reached(nodes.here, "/screen");
    for (ActorRef<Mine> subscriber : List.of(ledgerHere, ledgerThere, screen)) {
      Subscribed unused = await(topic.ask(Topic.subscribe(subscriber), Subscribed.class, SOON));
    }
    ActorRef<Event> events = nodes.there.durableRef("/topics/events", Event.class);
    Integer[] all = IntStream.range(0, 50).boxed().toArray(Integer[]::new);
    for (Integer number : all) {
      await(events.tell(new Event.Happened(number)));
    }
    knows(ledgerHere, all);
    knows(ledgerThere, all);
    for (Integer number : all) {
      expect("heard " + number);
    }

    await(nodes.there.stop("/screen"));
    Eventually.assertThat(
        () ->
            assertThat(events.ask(new Event.Over(), Published.class, SOON).await().subscribers())
                .isEqualTo(2));
  }

  @Test
  void aTopicAndASubscriberMoveToAnotherNode() throws Exception {
    ActorRef<Topic.Command> topic =
        await(nodes.there.spawn("/topics/events", Topic.of(Event.class)));
    ActorRef<Mine> ledger = await(nodes.there.spawn("/ledger", Ledger::new));
    Subscribed unused = await(topic.ask(Topic.subscribe(ledger), Subscribed.class, SOON));
    ActorRef<Event> events = nodes.here.durableRef("/topics/events", Event.class);
    await(events.tell(new Event.Happened(1)));
    Future<Void> closed = nodes.there.close();
    await(events.tell(new Event.Happened(2)));
    await(closed);
    ActorRef<Topic.Command> moved =
        await(nodes.here.spawn("/topics/events", Topic.of(Event.class)));
    assertThat(moved).isEqualTo(topic);
    ActorRef<Mine> movedLedger = await(nodes.here.spawn("/ledger", Ledger::new));
    await(events.tell(new Event.Happened(3)));
    knows(movedLedger, 1, 2, 3);
  }

  @Test
  void hundredsOfSubscribersGetOneEvent() throws Exception {
    allGetOneEvent(200);
  }

  @Test
  @Tag("long")
  void asManySubscribersAsThereMayBeGetOneEvent() throws Exception {
    allGetOneEvent(Topic.MOST_SUBSCRIBERS);
  }

  private void allGetOneEvent(int subscribers) throws Exception {
    ActorRef<Topic.Command> topic =
        await(nodes.here.spawn("/topics/events", Topic.of(Event.class)));
    await(nodes.here.host("/a-rather-long-prefix-for-ledgers", Ledger::new, new ActorOptions()));
    List<Future<?>> told = new ArrayList<>();
    for (int i = 0; i < subscribers; i++) {
      told.add(
          topic.tell(
              Topic.subscribe(
                  nodes.here.durableRef(
                      "/a-rather-long-prefix-for-ledgers/number-" + i, Mine.class))));
    }
    await(Future.all(told));
    ActorRef<Event> events = nodes.there.durableRef("/topics/events", Event.class);
    assertThat(
            await(events.ask(new Event.Happened(7), Published.class, Duration.ofMinutes(1)))
                .subscribers())
        .isEqualTo(subscribers);
    for (int i = 0; i < subscribers; i++) {
      knows(nodes.here.durableRef("/a-rather-long-prefix-for-ledgers/number-" + i, Mine.class), 7);
    }
  }
}
