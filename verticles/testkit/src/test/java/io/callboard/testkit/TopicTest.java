package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.store.StoredParked;
import io.callboard.topic.Topic;
import io.callboard.topic.Topic.Published;
import io.callboard.topic.Topic.Subscribed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Durable actor that passes its messages on to all subscribers. */
class TopicTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  sealed interface OrderEvent {
    record Placed(int number) implements OrderEvent {}

    record Noted(String text) implements OrderEvent {}

    /** Event that counts how often it is written. */
    record Counted(int number) implements OrderEvent {
      private static final AtomicInteger WRITTEN = new AtomicInteger();

      @Override
      public int number() {
        WRITTEN.incrementAndGet();
        return number;
      }
    }
  }

  sealed interface Mine {
    record Order(int number) implements Mine {}

    record Look() implements Mine {}

    record End() implements Mine {}
  }

  record Seen(List<Integer> orders) {}

  record Sell(int number, boolean fails) {}

  record Sold(int count) {}

  @RegisterExtension final Stage stage = new Stage();
  private ActorRef<Topic.Command> topic;
  private ActorRef<OrderEvent> events;
  private final AtomicInteger tries = new AtomicInteger();

  @BeforeEach
  void start() throws Exception {
    topic = await(stage.callboard.spawn("/topics/orders", Topic.of(OrderEvent.class), QUICK));
    events = stage.callboard.durableRef("/topics/orders", OrderEvent.class);
  }

  private static Mine mine(OrderEvent event) {
    return new Mine.Order(event instanceof OrderEvent.Placed placed ? placed.number() : -1);
  }

  /** Durable subscriber that keeps what it receives; takes the events by an adapter. */
  static final class Ledger extends DurableStateActor<Mine, Seen> {
    @Override
    protected Seen initial() {
      return new Seen(List.of());
    }

    @Override
    protected void protocol(Protocol<Mine> on) {
      on.adapt(OrderEvent.class, TopicTest::mine)
          .message(
              Mine.Order.class,
              order -> {
                List<Integer> orders = new ArrayList<>(state().orders());
                orders.add(order.number());
                update(new Seen(orders));
              })
          .message(Mine.Look.class, look -> reply(state()))
          .others(other -> {});
    }
  }

  /** Volatile subscriber that takes the events as its own protocol. */
  private final class Screen extends Actor<OrderEvent> {
    @Override
    protected void protocol(Protocol<OrderEvent> on) {
      on.message(OrderEvent.Placed.class, placed -> stage.sees(path() + " " + placed.number()))
          .message(OrderEvent.Noted.class, noted -> stopSelf())
          .others(other -> {});
    }
  }

  /** Publishes with its turn. */
  private final class Shop extends DurableStateActor<Sell, Sold> {
    @Override
    protected Sold initial() {
      return new Sold(0);
    }

    @Override
    protected void protocol(Protocol<Sell> on) {
      on.message(
          Sell.class,
          sell -> {
            tell(
                callboard().durableRef("/topics/orders", OrderEvent.class),
                new OrderEvent.Placed(sell.number()));
            update(new Sold(state().count() + 1));
            if (sell.fails() && tries.incrementAndGet() < 3) {
              throw new IllegalStateException("as told");
            }
          });
    }
  }

  private ActorRef<Mine> ledger(String path) throws Exception {
    ActorRef<Mine> ledger = await(stage.callboard.spawn(path, Ledger::new, QUICK));
    Subscribed unused = await(topic.ask(Topic.subscribe(ledger), Subscribed.class, SOON));
    return ledger;
  }

  private void sees(ActorRef<Mine> ledger, Integer... orders) {
    Eventually.assertThat(
        () ->
            assertThat(ledger.ask(new Mine.Look(), Seen.class, SOON).await().orders())
                .containsExactly(orders));
  }

  @Test
  void everySubscriberGetsEveryEventInOrder() throws Exception {
    ActorRef<Mine> one = ledger("/ledgers/1");
    ActorRef<Mine> two = ledger("/ledgers/2");
    Integer[] all = IntStream.range(0, 200).boxed().toArray(Integer[]::new);
    for (Integer number : all) {
      events.tell(new OrderEvent.Placed(number)).onFailure(cause -> stage.sees("" + cause));
    }
    sees(one, all);
    sees(two, all);
    assertThat(stage.rest()).isEmpty();
  }

  @Test
  void newsOfATurnComeOnceHoweverOftenItIsTried() throws Exception {
    ActorRef<Mine> ledger = ledger("/ledgers/1");
    ActorRef<Sell> shop = await(stage.callboard.spawn("/shop", Shop::new, QUICK));
    await(shop.tell(new Sell(1, false)));
    await(shop.tell(new Sell(2, true)));
    await(shop.tell(new Sell(3, false)));
    sees(ledger, 1, 2, 3);
    assertThat(tries).hasValue(3);
  }

  @Test
  void subscribingTwiceIsSubscribingOnceAndCanBeUndone() throws Exception {
    ActorRef<Mine> ledger = ledger("/ledgers/1");
    assertThat(await(topic.ask(Topic.subscribe(ledger), Subscribed.class, SOON)).subscribers())
        .isEqualTo(1);
    assertThat(await(events.ask(new OrderEvent.Placed(1), Published.class, SOON)).subscribers())
        .isEqualTo(1);
    sees(ledger, 1);
    assertThat(await(topic.ask(Topic.unsubscribe(ledger), Subscribed.class, SOON)).subscribers())
        .isZero();
    assertThat(await(events.ask(new OrderEvent.Placed(2), Published.class, SOON)).subscribers())
        .isZero();
    Subscribed unused = await(topic.ask(Topic.subscribe(ledger), Subscribed.class, SOON));
    await(events.tell(new OrderEvent.Placed(3)));
    sees(ledger, 1, 3);
  }

  @Test
  void subscriptionsAndEventsOutliveTheTopicsLife() throws Exception {
    ActorRef<Mine> ledger = ledger("/ledgers/1");
    await(stage.callboard.stop("/topics/orders"));
    await(stage.callboard.stop("/ledgers/1"));
    await(events.tell(new OrderEvent.Placed(7)));
    ActorRef<Topic.Command> unused =
        await(stage.callboard.spawn("/topics/orders", Topic.of(OrderEvent.class), QUICK));
    ActorRef<Mine> again = await(stage.callboard.spawn("/ledgers/1", Ledger::new, QUICK));
    assertThat(again).isEqualTo(ledger);
    sees(again, 7);
  }

  private int subscribers() {
    return topic
        .ask(Topic.unsubscribe(stage.callboard.ref("/nobody", OrderEvent.class)), Subscribed.class)
        .await()
        .subscribers();
  }

  @Test
  void aVolatileSubscriberIsOneAsLongAsItRuns() throws Exception {
    ActorRef<OrderEvent> screen = await(stage.callboard.spawn("/screen", Screen::new, QUICK));
    Subscribed unused = await(topic.ask(Topic.subscribe(screen), Subscribed.class, SOON));
    await(events.tell(new OrderEvent.Placed(1)));
    stage.expect("/screen 1");
    await(events.tell(new OrderEvent.Noted("the end")));
    Eventually.assertThat(() -> assertThat(subscribers()).isZero());

    ActorRef<OrderEvent> again = await(stage.callboard.spawn("/screen", Screen::new, QUICK));
    unused = await(topic.ask(Topic.subscribe(again), Subscribed.class, SOON));
    await(stage.callboard.stop("/topics/orders"));
    await(stage.callboard.stop("/screen")); // while nobody watches
    topic = await(stage.callboard.spawn("/topics/orders", Topic.of(OrderEvent.class), QUICK));
    Eventually.assertThat(() -> assertThat(subscribers()).isZero());
  }

  @Test
  void subscribersThatEndTogetherAreAllRemoved() throws Exception {
    int many = 1_200; // more than a durable actor can tell itself at once
    Promise<Void> gate = Promise.promise();
    ActorOptions held =
        new ActorOptions()
            .intercept(
                (self, message, next) -> {
                  if (message.toString().contains("hold")) {
                    stage.sees("held");
                    return gate.future();
                  }
                  return next.receive(message);
                });
    topic = await(stage.callboard.spawn("/topics/held", Topic.of(OrderEvent.class), held));
    List<Future<?>> done = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      done.add(
          stage
              .callboard
              .spawn("/screens/" + i, Screen::new, new ActorOptions().onBus(false))
              .compose(screen -> topic.ask(Topic.subscribe(screen), Subscribed.class, SOON)));
      if (done.size() == 200) {
        await(Future.all(done));
        done.clear();
      }
    }
    assertThat(subscribers()).isEqualTo(many);
    await(
        stage
            .callboard
            .durableRef("/topics/held", OrderEvent.class)
            .tell(new OrderEvent.Noted("hold")));
    stage.expect("held");
    for (int i = 0; i < many; i++) {
      done.add(stage.callboard.stop("/screens/" + i));
    }
    await(Future.all(done));
    gate.complete();
    Eventually.assertThat(() -> assertThat(subscribers()).isZero());
  }

  @Test
  void hostedTopicsAreStartedByTheirFirstSubscriber() throws Exception {
    await(stage.callboard.host("/hosted", Topic.of(OrderEvent.class), new ActorOptions()));
    ActorRef<OrderEvent> screen = await(stage.callboard.spawn("/screen", Screen::new, QUICK));
    ActorRef<Topic.Command> hosted =
        stage.callboard.durableRef("/hosted/news", Topic.Command.class);
    assertThat(await(hosted.ask(Topic.subscribe(screen), Subscribed.class, SOON)).subscribers())
        .isEqualTo(1);
    await(
        stage
            .callboard
            .durableRef("/hosted/news", OrderEvent.class)
            .tell(new OrderEvent.Placed(4)));
    stage.expect("/screen 4");
  }

  @Test
  void thousandsOfSubscribersGetAnEventAndOneMoreIsRefused() throws Exception {
    await(stage.callboard.host("/many", Ledger::new, new ActorOptions()));
    List<Future<?>> told = new ArrayList<>();
    for (int i = 0; i < Topic.MOST_SUBSCRIBERS; i++) {
      ActorRef<Mine> ledger = stage.callboard.durableRef("/many/" + i, Mine.class);
      told.add(topic.tell(Topic.subscribe(ledger)));
      if (told.size() == 200) {
        await(Future.all(told));
        told.clear();
      }
    }
    ActorRef<Mine> more = stage.callboard.durableRef("/many/more", Mine.class);
    assertCode(
        () -> await(topic.ask(Topic.subscribe(more), Subscribed.class, SOON)), Code.UNAVAILABLE);
    assertThat(events.ask(new OrderEvent.Placed(1), Published.class, SOON).await().subscribers())
        .isEqualTo(Topic.MOST_SUBSCRIBERS);
    await(events.tell(new OrderEvent.Noted("x".repeat(120))));
    for (int i = 0; i < Topic.MOST_SUBSCRIBERS; i++) {
      sees(stage.callboard.durableRef("/many/" + i, Mine.class), 1, -1);
    }
  }

  private int writtenFor(int subscribers) {
    OrderEvent.Counted.WRITTEN.set(0);
    assertThat(events.ask(new OrderEvent.Counted(1), Published.class, SOON).await().subscribers())
        .isEqualTo(subscribers);
    return OrderEvent.Counted.WRITTEN.get();
  }

  @Test
  void anEventIsWrittenNotOftenerForMoreSubscribers() throws Exception {
    ActorRef<Mine> first = ledger("/ledgers/0");
    int forOne = writtenFor(1);
    for (int i = 1; i < 20; i++) {
      ActorRef<Mine> unused = ledger("/ledgers/" + i);
    }
    assertThat(forOne).isPositive();
    assertThat(writtenFor(20)).isEqualTo(forOne);
    sees(first, -1, -1);
    sees(stage.callboard.durableRef("/ledgers/19", Mine.class), -1);
  }

  @Test
  void anEventTooLargeForItsSubscribersIsParked() throws Exception {
    await(stage.callboard.host("/many", Ledger::new, new ActorOptions()));
    for (int i = 0; i < 100; i++) {
      Subscribed unused =
          await(
              topic.ask(
                  Topic.subscribe(stage.callboard.durableRef("/many/" + i, Mine.class)),
                  Subscribed.class,
                  SOON));
    }
    await(events.tell(new OrderEvent.Noted("x".repeat(6_800))));
    sees(stage.callboard.durableRef("/many/99", Mine.class), -1);
    await(events.tell(new OrderEvent.Noted("x".repeat(7_200))));
    await(events.tell(new OrderEvent.Placed(2)));
    sees(stage.callboard.durableRef("/many/99", Mine.class), -1, 2);
    List<StoredParked> parked = await(stage.callboard.admin().parked(10));
    assertThat(parked).hasSize(1);
    assertThat(new String(parked.get(0).bytes(), UTF_8))
        .contains("an event for 100 durable subscribers");
  }

  @Test
  void aTopicCannotSubscribeItself() throws Exception {
    ActorRef<OrderEvent> inMemory = stage.callboard.ref("/topics/orders", OrderEvent.class);
    for (ActorRef<?> itself : List.of(topic, events, inMemory)) {
      assertCode(
          () -> await(topic.ask(Topic.subscribe(itself), Subscribed.class, SOON)),
          Code.BAD_MESSAGE);
    }
    assertThat(await(events.ask(new OrderEvent.Placed(1), Published.class, SOON)))
        .isEqualTo(new Published(0));
  }

  @Test
  @SuppressWarnings("NullAway") // that is what is tested
  void aPathThatIsNoneIsRefusedWhereItIsGiven() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Topic.Subscribe("x y", true))
        .withMessageContaining("\"x y\" is not an actor path");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Topic.Unsubscribe(null, false))
        .withMessageContaining("the path is null");
    assertThat(new Topic.Subscribe("a/b", true).path()).isEqualTo("/a/b");
    MessageType type = MessageType.of(Topic.Subscribe.class);
    assertThatThrownBy(
            () ->
                ProtocolCodec.of(Topic.Command.class)
                    .decode(
                        type,
                        Json.parse("it", "{\"path\":\"x y\",\"durable\":true}".getBytes(UTF_8))))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("\"x y\" is not an actor path");
  }
}
