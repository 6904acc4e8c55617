package io.callboard.zookeeper;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.TellOptions;
import io.callboard.codecs.TraceContext;
import io.callboard.store.Limits;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.SampleActors;
import io.callboard.testkit.SampleActors.Add;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Actors of two nodes speak with each other over a clustered event bus. */
@Tag("real")
class LinksTest {
  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("links");

  @AutoClose private final ClusteredNodes nodes = new ClusteredNodes(server);
  private final Callboard here = inMemory("here");
  private final Callboard there = inMemory("there");

  sealed interface Say {
    record Word(int n) implements Say {}

    record Question(int n) implements Say {}

    record Trouble() implements Say {}

    record Lecture(String text) implements Say {}

    /** Asks for an answer of that length. */
    record Ovation(int characters) implements Say {}
  }

  record Reply(int n) {}

  record Applause(String text) {}

  static final class Listener extends Actor<Say> {
    final List<Integer> heard = new CopyOnWriteArrayList<>();
    final List<Optional<TraceContext>> traces = new CopyOnWriteArrayList<>();
    private final Future<?> first;

    Listener(Future<?> first) {
      this.first = first;
    }

    @Override
    protected void protocol(Protocol<Say> on) {
      on.async(
          Say.Word.class,
          word -> {
            heard.add(word.n());
            traces.add(trace());
            return first;
          });
      on.message(
          Say.Question.class,
          question -> {
            traces.add(trace());
            reply(new Reply(question.n() + 1));
          });
      on.message(Say.Lecture.class, lecture -> reply(new Applause(lecture.text())));
      on.message(
          Say.Ovation.class, ovation -> reply(new Applause("x".repeat(ovation.characters()))));
      on.message(
          Say.Trouble.class,
          trouble -> {
            throw new IllegalStateException("trouble");
          });
    }
  }

  /** Opens a node whose durable data stays on the node: only messages go between the two. */
  private Callboard inMemory(String name) {
    return nodes.open(name, new EventBusOptions(), options -> options.store(MemoryStore::new));
  }

  private static void assertCode(ThrowingCallable call, Code code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private Listener listener(String path) throws Exception {
    return listener(path, Future.succeededFuture(), new ActorOptions());
  }

  private Listener listener(String path, Future<?> first, ActorOptions options) throws Exception {
    Listener listener = new Listener(first);
    assertThat(await(there.spawn(path, () -> listener, options)).path()).hasToString(path);
    ActorRef<Say> ref = here.ref(path, Say.class);
    // A registration becomes visible to other nodes after a while.
    Eventually.assertThat(
        () -> {
          try {
            assertThat(await(ref.ask(new Say.Question(1), Reply.class)).n()).isEqualTo(2);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    return listener;
  }

  @Test
  void tellsKeepTheirOrderAndAreInTheMailboxWhenTheySucceed() throws Exception {
    Listener listener = listener("/order");
    ActorRef<Say> ref = here.ref("/order", Say.class);
    List<Future<Void>> told = new ArrayList<>();
    for (int n = 0; n < 5_000; n++) {
      told.add(ref.tell(new Say.Word(n)));
    }
    await(Future.all(told));
    Eventually.assertThat(() -> assertThat(listener.heard).hasSize(5_000));
    assertThat(listener.heard).isSorted();
  }

  @Test
  void asksAreAnsweredOrFailWithTheCause() throws Exception {
    var unused = listener("/asked");
    ActorRef<Say> ref = here.ref("/asked", Say.class);
    List<Future<Reply>> answers =
        IntStream.range(0, 500).mapToObj(n -> ref.ask(new Say.Question(n), Reply.class)).toList();
    await(Future.all(answers));
    assertThat(answers).extracting(answer -> answer.result().n()).startsWith(1, 2, 3).hasSize(500);
    assertThatThrownBy(() -> await(ref.ask(new Say.Trouble(), Reply.class)))
        .hasMessageContaining("trouble");
    assertCode(
        () -> await(ref.ask(new Say.Word(1), Reply.class, Duration.ofMillis(200))), Code.TIMEOUT);
  }

  @Test
  void aLargeMessageAndItsAnswerCrossALinkUpToTheLimit() throws Exception {
    var unused = listener("/hall");
    ActorRef<Say> ref = here.ref("/hall", Say.class);
    int most = Limits.MESSAGE_BYTES - "{'text':''}".length();
    for (int chars : new int[] {300_000, 3 << 20, most}) {
      String text = "x".repeat(chars);
      assertThat(await(ref.ask(new Say.Lecture(text), Applause.class)).text()).isEqualTo(text);
    }
    Say.Lecture longer = new Say.Lecture("x".repeat(most + 1));
    assertCode(() -> await(ref.tell(longer)), Code.PAYLOAD_TOO_LARGE);
    assertCode(() -> await(ref.ask(longer, Applause.class)), Code.PAYLOAD_TOO_LARGE);
  }

  @Test
  void anAnswerOverTheLimitIsRefusedWhereItIsGivenWithItsTypeAndSize() throws Exception {
    var unused = listener("/stage");
    ActorRef<Say> far = here.ref("/stage", Say.class);
    int most = Limits.MESSAGE_BYTES - "{'text':''}".length();
    assertThat(await(far.ask(new Say.Ovation(most), Applause.class)).text()).hasSize(most);
    assertThatThrownBy(() -> await(far.ask(new Say.Ovation(most + 1), Applause.class)))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.PAYLOAD_TOO_LARGE))
        .hasMessage(
            "the answer applause has %d bytes, the limit is %d",
            Limits.MESSAGE_BYTES + 1, Limits.MESSAGE_BYTES);
    ActorRef<Say> near = there.ref("/stage", Say.class);
    assertThat(await(near.ask(new Say.Ovation(most + 1), Applause.class)).text())
        .as("by reference, not measured")
        .hasSize(most + 1);
  }

  @Test
  void aMessageThatLacksAFieldIsRefusedBeforeItIsSent() throws Exception {
    Listener listener = listener("/strict");
    ActorRef<Say> ref = here.ref("/strict", Say.class);
    Say.Lecture incomplete = new Say.Lecture(null);
    assertThatThrownBy(() -> await(ref.tell(incomplete)))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_MESSAGE))
        .hasMessageContaining("text of Lecture is null, but not @Nullable");
    assertThat(listener.heard).isEmpty();
  }

  @Test
  void aMessageThatIsNotTakenFailsAloneWithItsReason() throws Exception {
    Promise<Void> open = Promise.promise();
    Listener listener = listener("/full", open.future(), new ActorOptions().mailboxLimit(10));
    ActorRef<Say> ref = here.ref("/full", Say.class);
    await(ref.tell(new Say.Word(0)));
    Eventually.assertThat(() -> assertThat(listener.heard).containsExactly(0));
    List<Future<Void>> told = new ArrayList<>();
    for (int n = 1; n <= 20; n++) {
      told.add(ref.tell(new Say.Word(n)));
    }
    Future<?> all = Future.join(told);
    assertCode(() -> await(all), Code.MAILBOX_FULL);
    assertThat(told).filteredOn(Future::succeeded).hasSize(10);
    open.complete();
    Eventually.assertThat(() -> assertThat(listener.heard).hasSize(11));
    assertCode(() -> await(here.ref("/full", Reply.class).tell(new Reply(1))), Code.BAD_MESSAGE);
  }

  @Test
  void anActorThatIsNotThereIsSaidToBeSo() throws Exception {
    assertCode(
        () -> await(here.ref("/nowhere", Say.class).tell(new Say.Word(1))), Code.NO_SUCH_ACTOR);
    var unused = listener("/moves");
    ActorRef<Say> ref = here.ref("/moves", Say.class);
    await(there.stop("/moves"));
    assertCode(() -> await(ref.tell(new Say.Word(1))), Code.NO_SUCH_ACTOR);
    Listener again = listener("/moves");
    await(ref.tell(new Say.Word(2)));
    Eventually.assertThat(() -> assertThat(again.heard).containsExactly(2));
  }

  @Test
  void aNodeThatStopsFailsWhatWaitsForItAndIsNotAskedAgain() throws Exception {
    var unused = listener("/stops");
    ActorRef<Say> ref = here.ref("/stops", Say.class);
    await(ref.tell(new Say.Word(1)));
    await(there.close());
    Eventually.assertThat(
        () -> {
          assertThatThrownBy(() -> await(ref.tell(new Say.Word(2))))
              .isInstanceOfSatisfying(
                  CallboardException.class,
                  e -> assertThat(e.code()).isIn(Code.NO_SUCH_ACTOR, Code.UNAVAILABLE));
        });
  }

  @Test
  void aVolatileRefToADurableActorReachesItsMailbox() throws Exception {
    assertThat(await(there.spawn("/sums/one", SampleActors.Counter::new)).durable()).isTrue();
    ActorRef<Add> ref = here.ref("/sums/one", Add.class);
    // The stores in memory of the two nodes share nothing: the message is durable here.
    Eventually.assertThat(
        () -> {
          try {
            await(ref.tell(new Add(1)));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    assertThat(await(here.admin().stored("/sums/one"))).isPresent();
  }

  @Test
  void messagesKeepTheirTraceOnTheWayToAnotherNode() throws Exception {
    TraceContext trace =
        new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=1;2,b=3");
    Listener listener = listener("/traced");
    listener.traces.clear(); // of the question that found it
    ActorRef<Say> ref = here.ref("/traced", Say.class);
    await(ref.tell(new Say.Word(1), TellOptions.trace(trace)));
    await(ref.tell(new Say.Word(2)));
    await(ref.ask(new Say.Question(3), Reply.class, Duration.ofSeconds(10), trace));
    assertThat(listener.traces)
        .containsExactly(Optional.of(trace), Optional.empty(), Optional.of(trace));
  }

  @Test
  void rubbishAtTheAddressIsRefusedAndTheRouterLives() throws Exception {
    Listener listener = listener("/robust");
    SplittableRandom random = new SplittableRandom(7);
    String address = "callboard.node." + there.bootId();
    for (int n = 0; n < 500; n++) {
      byte[] rubbish = new byte[random.nextInt(200)];
      random.nextBytes(rubbish);
      here.vertx().eventBus().send(address, rubbish);
      here.vertx().eventBus().send(address, Buffer.buffer(rubbish));
    }
    here.vertx().eventBus().send(address, "text");
    here.vertx().eventBus().send(address, new byte[2 << 20]);
    await(here.ref("/robust", Say.class).tell(new Say.Word(1)));
    Eventually.assertThat(() -> assertThat(listener.heard).containsExactly(1));
  }
}
