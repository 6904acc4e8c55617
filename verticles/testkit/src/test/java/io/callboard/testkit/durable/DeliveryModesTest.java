package io.callboard.testkit.durable;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DeliveryMode;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.store.WhenFull;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Test of what each durable mode loses or repeats when a node dies in the middle of its work, and
 * of a failing handler.
 */
class DeliveryModesTest {
  private static final int MAIL = 100;
  private static final int STUCK = 5;
  private static final int NONE = -1;
  private static final int CONSUMED_AHEAD = 64;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  /** A node that can die: nothing that it does after that reaches the cell. */
  private final class Node {
    private final MemoryStore store = new MemoryStore(nodes.cell());
    private final Callboard callboard;

    Node(String name) {
      callboard = nodes.open(name, options -> options.store(() -> store));
    }

    void die() throws Exception {
      await(store.close());
    }
  }

  record Go(int n) {}

  record Sum(int count, int last) {}

  /** Effects of a handler that cannot be undone. */
  static final class Outside {
    final List<Integer> begun = new CopyOnWriteArrayList<>();
    final List<Integer> effects = new CopyOnWriteArrayList<>();

    static List<Integer> numbers(int from, int to) {
      return IntStream.rangeClosed(from, to).boxed().toList();
    }
  }

  /** Actor that counts, passes messages on, and hangs or fails on request. */
  static final class Worker extends DurableStateActor<Go, Sum> {
    private final Outside outside;
    private final int stuck;
    private final int failing;

    Worker(Outside outside, int stuck, int failing) {
      this.outside = outside;
      this.stuck = stuck;
      this.failing = failing;
    }

    @Override
    protected Sum initial() {
      return new Sum(0, 0);
    }

    @Override
    protected void protocol(Protocol<Go> on) {
      on.async(Go.class, this::go);
    }

    private Future<?> go(Go go) {
      outside.begun.add(go.n());
      afterCommit(() -> outside.effects.add(go.n()));
      if (go.n() == failing) {
        throw new IllegalStateException("it fails on " + go.n());
      }
      if (go.n() == stuck) {
        return Promise.promise().future();
      }
      if (go.n() > 0) {
        update(new Sum(state().count() + 1, go.n()));
        tell(callboard().durableRef("/sink", Go.class), go);
      }
      reply(state());
      return Future.succeededFuture();
    }
  }

  /** Remembers what arrives. */
  static final class Sink extends DurableStateActor<Go, Sink.Got> {
    record Got(List<Integer> numbers) {}

    @Override
    protected Got initial() {
      return new Got(List.of());
    }

    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(
          Go.class,
          go -> {
            if (go.n() > 0) {
              List<Integer> next = new ArrayList<>(state().numbers());
              next.add(go.n());
              update(new Got(List.copyOf(next)));
            }
            reply(state());
          });
    }
  }

  private static ActorOptions options(DeliveryMode mode) {
    return new ActorOptions()
        .delivery(mode)
        .attempts(2)
        .backoff(
            Backoff.exponential(Duration.ofMillis(5), Duration.ofMillis(20), Backoff.Jitter.FULL));
  }

  /** Messages that the actor handled on the node that died, and on the one that took over. */
  private record Taken(Outside died, Outside tookOver, Sum state, List<Integer> sink) {}

  /** Lets a node die with 100 messages waiting, while its actor is in the middle of the fifth. */
  private Taken die(DeliveryMode mode) throws Exception {
    Node first = new Node("first");
    ActorRef<Go> ref = first.callboard.durableRef("/worker", Go.class);
    for (int n = 1; n <= MAIL; n++) {
      await(ref.tell(new Go(n)));
    }
    Outside died = new Outside();
    await(first.callboard.spawn("/worker", () -> new Worker(died, STUCK, NONE), options(mode)));
    Eventually.assertThat(() -> assertThat(died.begun).hasSize(STUCK));
    Node second = new Node("second");
    Outside tookOver = new Outside();
    ActorRef<Go> again =
        await(
            second.callboard.spawn(
                "/worker", () -> new Worker(tookOver, NONE, NONE), options(mode)));
    ActorRef<Go> sink = await(second.callboard.spawn("/sink", Sink::new));
    assertThat(tookOver.begun).as("it runs elsewhere").isEmpty();
    first.die();
    Sum sum = await(again.ask(new Go(0), Sum.class));
    List<Integer> got = new ArrayList<>();
    Eventually.assertThat(
        () -> {
          got.clear();
          got.addAll(sink.ask(new Go(0), Sink.Got.class).await().numbers());
          assertThat(got).as("what was sent with the last").contains(MAIL);
        });
    return new Taken(died, tookOver, sum, got);
  }

  @Test
  void atMostOnceLosesWhatItConsumedAheadAndRepeatsNothing() throws Exception {
    Taken taken = die(DeliveryMode.AT_MOST_ONCE);
    assertThat(taken.died().begun).isEqualTo(Outside.numbers(1, STUCK));
    assertThat(taken.died().effects).as("they wait for the commit").isEmpty();
    List<Integer> rest = Outside.numbers(CONSUMED_AHEAD + 1, MAIL);
    assertThat(handled(taken.tookOver())).isEqualTo(rest);
    assertThat(taken.state()).isEqualTo(new Sum(rest.size(), MAIL));
    assertThat(taken.sink()).isEqualTo(rest);
  }

  @Test
  void atLeastOnceRepeatsEffectsButNeitherStateNorSends() throws Exception {
    Taken taken = die(DeliveryMode.AT_LEAST_ONCE);
    assertThat(taken.died().begun).isEqualTo(Outside.numbers(1, STUCK));
    assertThat(taken.died().effects)
        .as("they left without the commit")
        .isEqualTo(Outside.numbers(1, STUCK - 1));
    everythingOnTheOther(taken, 1);
  }

  @Test
  void exactlyOnceHandlesAgainWhatHadNoEffect() throws Exception {
    Taken taken = die(DeliveryMode.EXACTLY_ONCE);
    assertThat(taken.died().begun).isEqualTo(Outside.numbers(1, STUCK));
    int left = taken.died().effects.size();
    assertThat(left).as("none, unless 10 ms were over before the fifth").isLessThan(STUCK);
    assertThat(taken.died().effects).isEqualTo(Outside.numbers(1, left));
    everythingOnTheOther(taken, left + 1);
  }

  private static void everythingOnTheOther(Taken taken, int from) {
    List<Integer> rest = Outside.numbers(from, MAIL);
    assertThat(handled(taken.tookOver())).isEqualTo(rest);
    assertThat(taken.state()).isEqualTo(new Sum(MAIL, MAIL));
    assertThat(taken.sink()).isEqualTo(Outside.numbers(1, MAIL));
    Eventually.assertThat(() -> assertThat(taken.tookOver().effects).containsSubsequence(rest));
  }

  /** Returns the handled messages without the question at the end. */
  private static List<Integer> handled(Outside outside) {
    return outside.begun.stream().filter(n -> n > 0).toList();
  }

  @Test
  void anAtMostOnceMessageThatFailsIsADeadLetterAndNotTriedAgain() throws Exception {
    Node node = new Node("one");
    Outside outside = new Outside();
    ActorRef<Go> ref = node.callboard.durableRef("/worker", Go.class);
    List<Future<Sum>> asks = new ArrayList<>();
    for (int n = 1; n <= 10; n++) {
      asks.add(ref.ask(new Go(n), Sum.class));
    }
    await(
        node.callboard.spawn(
            "/worker", () -> new Worker(outside, NONE, 3), options(DeliveryMode.AT_MOST_ONCE)));
    assertThatThrownBy(() -> await(asks.get(2)))
        .hasMessageContaining("/worker failed")
        .hasMessageContaining("it fails on 3");
    assertThat(await(asks.get(1))).isEqualTo(new Sum(2, 2));
    assertThat(await(asks.get(9))).as("those behind it are not lost").isEqualTo(new Sum(9, 10));
    assertThat(outside.begun).isEqualTo(Outside.numbers(1, 10));
    assertThat(outside.effects).doesNotContain(3);
    assertThat(node.callboard.admin().counts().dead()).isEqualTo(1);
    assertThat(node.callboard.admin().counts().parked()).isZero();
    assertThat(await(node.callboard.admin().running()).get(0).restarts()).isEqualTo(1);
    assertThat(await(node.callboard.admin().parked(10))).isEmpty();
  }

  @Test
  void aStopTellsWhatAnAtMostOnceActorConsumedInVain() throws Exception {
    Node node = new Node("one");
    Outside outside = new Outside();
    ActorRef<Go> ref = node.callboard.durableRef("/worker", Go.class);
    List<Future<Sum>> asks = new ArrayList<>();
    for (int n = 1; n <= 10; n++) {
      asks.add(ref.ask(new Go(n), Sum.class));
    }
    await(
        node.callboard.spawn(
            "/worker",
            () -> new Worker(outside, STUCK, NONE),
            options(DeliveryMode.AT_MOST_ONCE).stopTimeout(Duration.ofMillis(50))));
    Eventually.assertThat(() -> assertThat(outside.begun).hasSize(STUCK));
    await(node.callboard.stop("/worker"));
    for (Future<Sum> ask : asks) {
      assertThatThrownBy(() -> await(ask)).hasMessageContaining("/worker");
    }
    assertThat(node.callboard.admin().counts().dead()).isEqualTo(10);
  }

  @ParameterizedTest
  @EnumSource(names = {"AT_LEAST_ONCE", "EXACTLY_ONCE"})
  void inTheOtherModesAFailingMessageIsParked(DeliveryMode mode) throws Exception {
    Node node = new Node("one");
    Outside outside = new Outside();
    ActorRef<Go> ref =
        await(node.callboard.spawn("/worker", () -> new Worker(outside, NONE, 3), options(mode)));
    for (int n = 1; n < 10; n++) {
      await(ref.tell(new Go(n)));
    }
    assertThat(await(ref.ask(new Go(10), Sum.class))).isEqualTo(new Sum(9, 10));
    assertThat(outside.begun.stream().filter(n -> n == 3)).hasSize(2);
    Eventually.assertThat(() -> assertThat(outside.effects).contains(10).doesNotContain(3));
    assertThat(node.callboard.admin().counts().dead()).isZero();
    assertThat(await(node.callboard.admin().parked(10))).hasSize(1);
  }

  @Test
  void aModeIsReadFromAConfiguration() {
    for (DeliveryMode mode : DeliveryMode.values()) {
      ActorOptions read = ActorOptions.of(new JsonObject().put("delivery", mode.key()));
      assertThat(read.delivery()).contains(mode);
      assertThat(new ActorOptions(read).delivery()).as("a copy").contains(mode);
    }
    assertThat(ActorOptions.of(new JsonObject()).delivery()).isEmpty();
    assertThatThrownBy(() -> ActorOptions.of(new JsonObject().put("delivery", "twice")))
        .hasMessage(
            "actor options: /delivery: there is no delivery mode \"twice\"; there are volatile, at-most-once, at-least-once,"
                + " exactly-once");
  }

  static final class Plain extends Actor<Go> {
    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(Go.class, go -> reply(new Sum(go.n(), go.n())));
    }
  }

  @Test
  void aModeThatTheClassCannotHaveIsRefused() throws Exception {
    Callboard callboard = new Node("one").callboard;
    ActorOptions lasting = new ActorOptions().delivery(DeliveryMode.AT_MOST_ONCE);
    ActorOptions fleeting = new ActorOptions().delivery(DeliveryMode.VOLATILE);
    assertThatThrownBy(() -> await(callboard.spawn("/plain", Plain::new, lasting)))
        .hasMessageContaining("Plain is not a DurableStateActor or PersistentActor")
        .hasMessageEndingWith("its delivery is volatile, not at-most-once");
    assertThatThrownBy(() -> await(callboard.spawn("/sink", Sink::new, fleeting)))
        .hasMessageContaining("Sink is durable")
        .hasMessageEndingWith("not volatile");
    assertThatThrownBy(() -> await(callboard.host("/sinks", Sink::new, fleeting)))
        .hasMessageContaining("/sinks is durable");
    ActorOptions dropping = new ActorOptions().whenFull(WhenFull.DROP_OLDEST);
    assertThatThrownBy(() -> await(callboard.host("/sinks", Sink::new, dropping)))
        .hasMessage(
            "an actor hosted below /sinks is durable, and a stored mailbox never drops its oldest:"
                + " its whenFull is wait, reject, drop or park");
    ActorRef<Go> plain = await(callboard.spawn("/plain", Plain::new, fleeting));
    assertThat(await(plain.ask(new Go(7), Sum.class))).isEqualTo(new Sum(7, 7));
  }

  sealed interface Growth {
    record Begin() implements Growth {}

    record Grow(int characters) implements Growth {}

    record Look() implements Growth {}
  }

  record Size(String text) {}

  /** Actor that makes itself too large for a record, by a timer and by a future. */
  static final class Grower extends DurableStateActor<Growth, Size> {
    @Override
    protected Size initial() {
      return new Size("");
    }

    @Override
    protected void protocol(Protocol<Growth> on) {
      on.message(Growth.Begin.class, begin -> begin())
          .message(Growth.Grow.class, grow -> update(new Size("x".repeat(grow.characters()))))
          .message(Growth.Look.class, look -> reply(state()));
    }

    private void begin() {
      pipeToSelf(Future.succeededFuture(3), small -> new Growth.Grow(small.result()));
      startTimer("large", Duration.ofMillis(1), new Growth.Grow(1 << 20));
    }
  }

  @Test
  void aMessageToItselfThatAnActorCannotCommitIsADeadLetter() throws Exception {
    Node node = new Node("one");
    ActorRef<Growth> ref =
        await(
            node.callboard.spawn(
                "/grower", Grower::new, options(DeliveryMode.EXACTLY_ONCE).attempts(1)));
    await(ref.tell(new Growth.Begin()));
    Eventually.assertThat(
        () ->
            assertThat(node.callboard.admin().counts().dead())
                .isBetween(1L, 2L)); // alone, or with both
    assertThat(await(ref.ask(new Growth.Look(), Size.class)).text()).hasSizeLessThan(4);
    assertThat(await(node.callboard.admin().parked(10))).as("its mail is not to blame").isEmpty();
  }
}
