package io.callboard.testkit.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.DurableContext;
import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;
import io.callboard.VolatileContext;
import io.callboard.testkit.actor.Effect.AfterCommit;
import io.callboard.testkit.actor.Effect.Answered;
import io.callboard.testkit.actor.Effect.Asked;
import io.callboard.testkit.actor.Effect.Became;
import io.callboard.testkit.actor.Effect.Persisted;
import io.callboard.testkit.actor.Effect.Sent;
import io.callboard.testkit.actor.Effect.Spawned;
import io.callboard.testkit.actor.Effect.Stashed;
import io.callboard.testkit.actor.Effect.Stopped;
import io.callboard.testkit.actor.Effect.TimerStarted;
import io.callboard.testkit.actor.Effect.ToldSelf;
import io.callboard.testkit.actor.Effect.Unstashed;
import io.callboard.testkit.actor.Effect.Updated;
import io.callboard.testkit.actor.Effect.Watched;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test that the effects of a tested actor are seen in order, and that its mistakes are found. */
class TestedActorTest {
  record Do(String what) {}

  record Did(String what) {}

  record Total(long value) {}

  /** A durable actor that does what the test says. */
  private static final class Durable extends DurableStateActor<Do, Total> {
    private final BiFunction<Durable, Do, Future<?>> work;
    private long inField;

    Durable(BiFunction<Durable, Do, Future<?>> work) {
      this.work = work;
    }

    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.async(Do.class, message -> work.apply(this, message));
    }

    void becomes(long value) {
      update(new Total(value));
    }

    void answers(Object answer) {
      reply(answer);
    }

    void after(Runnable effect) {
      afterCommit(effect);
    }

    long value() {
      return state().value();
    }

    Future<Did> asks(String path, String what) {
      return callboard().ref(path, Do.class).ask(new Do(what), Did.class);
    }

    <T> Future<T> waitsFor(Future<T> future) {
      return inTurn(future);
    }

    io.callboard.Callboard callboardOf() {
      return callboard();
    }

    void tells(String path, String what) {
      tell(callboard().durableRef(path, Do.class), new Do(what));
    }
  }

  private static TestedActor<Do> durable(BiConsumer<Durable, Do> work) {
    return async(
        (actor, message) -> {
          work.accept(actor, message);
          return Future.succeededFuture();
        });
  }

  private static TestedActor<Do> async(BiFunction<Durable, Do, Future<?>> work) {
    return TestedActor.of(() -> new Durable(work)).path("/durable").start();
  }

  private static void assertImpure(TestedActor<Do> actor) {
    assertThatThrownBy(
            () -> {
              actor.tell(new Do("a"));
              actor.tell(new Do("b"));
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a second object, in the same state, did something else with Do[")
        .hasMessageContaining("first:  {\"is\":\"")
        .hasMessageContaining("second: {\"is\":\"");
  }

  @Test
  void aClockIsFound() {
    assertImpure(durable((actor, message) -> actor.becomes(System.currentTimeMillis())));
    assertImpure(durable((actor, message) -> actor.answers(new Did(Instant.now().toString()))));
  }

  @Test
  void aClockIsFoundThoughTheFirstTookItsTime() {
    AtomicInteger runs = new AtomicInteger();
    TestedActor<Do> actor =
        durable(
            (self, message) -> {
              if (runs.getAndIncrement() == 0) {
                SecondRun.later();
              }
              self.becomes(System.currentTimeMillis());
            });
    assertThatThrownBy(() -> actor.tell(new Do("a")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("did something else with Do[");
  }

  @Test
  void aClockIsFoundThatIsReadAfterAnAnswer() {
    TestedActor<Do> actor =
        async(
            (self, message) ->
                self.asks("/other", "x")
                    .onSuccess(did -> self.becomes(System.currentTimeMillis())));
    Effects unused = actor.tell(new Do("a"));
    assertThatThrownBy(() -> actor.answer("/other", new Did("y")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("did something else with Do[");
  }

  @Test
  void asksOutliveTheirTurn() {
    List<String> answers = new ArrayList<>();
    TestedActor<Do> actor =
        TestedActor.of(
                () ->
                    new Durable(
                        (self, message) -> {
                          Future<Did> unused =
                              self.asks("/other", message.what())
                                  .onSuccess(did -> answers.add(message.what() + did.what()));
                          return Future.succeededFuture();
                        }))
            .once()
            .start();
    actor.tell(new Do("a"));
    actor.tell(new Do("b"));
    actor.tell(new Do("c"));
    actor.answer("/other", new Did("1"));
    actor.answer("/other", new Did("2"));
    actor.answer("/other", new Did("3"));
    assertThat(answers).containsExactly("a1", "b2", "c3");
    assertThatThrownBy(() -> actor.answer("/other", new Did("4")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("waits for no answer from /other");
  }

  @Test
  void randomnessIsFound() {
    RandomGenerator random = RandomGenerator.getDefault();
    assertImpure(durable((actor, message) -> actor.tells("/a", "x" + random.nextLong())));
  }

  @Test
  void aFieldIsFound() {
    assertImpure(durable((actor, message) -> actor.becomes(++actor.inField)));
  }

  private static final AtomicInteger STATIC = new AtomicInteger();

  @Test
  void aStaticIsFound() {
    assertImpure(durable((actor, message) -> actor.becomes(STATIC.incrementAndGet())));
  }

  @Test
  void aFailureNowAndThenIsFound() {
    AtomicInteger calls = new AtomicInteger();
    TestedActor<Do> actor =
        durable(
            (self, message) -> {
              if (calls.incrementAndGet() % 2 == 0) {
                throw new IllegalStateException("each second time");
              }
            });
    assertThatThrownBy(() -> actor.tell(new Do("a")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("first:  nothing more")
        .hasMessageContaining("second: failed: java.lang.IllegalStateException: each second time");
  }

  @Test
  void onceIsNotCompared() {
    TestedActor<Do> actor =
        TestedActor.of(
                () ->
                    new Durable(
                        (self, message) -> {
                          self.becomes(++self.inField);
                          return Future.succeededFuture();
                        }))
            .once()
            .start();
    actor.tell(new Do("a"));
    actor.tell(new Do("b"));
    assertThat(actor.state(Total.class)).isEqualTo(new Total(2));
  }

  @Test
  void effectsComeInTheirOrderAndTheCommitLast() {
    List<String> committed = new ArrayList<>();
    TestedActor<Do> actor =
        durable(
            (self, message) -> {
              self.tells("/a", "one");
              self.becomes(self.value() + 5);
              self.after(() -> committed.add(message.what()));
              self.answers(new Did("done"));
            });
    assertThat(actor.tell(new Do("x")).list())
        .containsExactly(
            new Sent("/a", new Do("one")),
            new Updated(new Total(5)),
            new AfterCommit(),
            new Answered(new Did("done")));
    assertThat(committed).as("once, although it was handled twice").containsExactly("x");
    actor.restart();
    assertThat(actor.tell(new Do("y")).of(Updated.class))
        .containsExactly(new Updated(new Total(10)));
  }

  @Test
  void aFailedTurnNeverWas() {
    TestedActor<Do> actor =
        durable(
            (self, message) -> {
              self.becomes(self.value() + 1);
              if (message.what().equals("fail")) {
                throw new IllegalStateException("as told");
              }
            });
    actor.tell(new Do("go"));
    assertThatThrownBy(() -> actor.tell(new Do("fail")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("/durable failed")
        .hasRootCauseMessage("as told");
    assertThat(actor.failure(() -> actor.tell(new Do("fail")))).hasMessage("as told");
    assertThat(actor.state(Total.class)).isEqualTo(new Total(1));
    assertThat(actor.tell(new Do("go")).list()).containsExactly(new Updated(new Total(2)));
    assertThatThrownBy(() -> actor.failure(() -> actor.tell(new Do("go"))))
        .isInstanceOf(AssertionError.class)
        .hasMessage("/durable did not fail");
  }

  @Test
  void asksAreAnsweredByHandForBothObjects() {
    TestedActor<Do> actor =
        async(
            (self, message) ->
                self.asks("/oracle", message.what())
                    .onSuccess(did -> self.becomes(did.what().length())));
    assertThat(actor.tell(new Do("q")).list()).containsExactly(new Asked("/oracle", new Do("q")));
    assertThat(actor.isBusy()).isTrue();
    assertThat(actor.tell(new Do("waits")).list()).isEmpty();
    assertThatThrownBy(() -> actor.answer("/other", new Did("x")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("/durable waits for no answer from /other, only for those from [/oracle]");
    assertThat(actor.answer("/oracle", new Did("four")).list())
        .containsExactly(new Updated(new Total(4)), new Asked("/oracle", new Do("waits")));
    assertThat(actor.failure(() -> actor.fail("/oracle", new IllegalStateException("mute"))))
        .hasMessage("mute");
    assertThat(actor.isBusy()).isFalse();
  }

  @Test
  void aFutureOfTheTestsIsCompletedByHand() {
    List<Promise<Void>> promises = new ArrayList<>();
    TestedActor<Do> actor =
        async(
            (self, message) -> {
              Promise<Void> promise = Promise.promise();
              promises.add(promise);
              return self.waitsFor(promise.future()).onSuccess(v -> self.becomes(7));
            });
    actor.tell(new Do("x"));
    promises.get(0).complete();
    assertThatThrownBy(actor::goOn)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("it waits for a future of its own");
    promises.get(1).complete();
    actor.goOn();
    assertThat(actor.state(Total.class)).isEqualTo(new Total(7));
  }

  @Test
  void nothingIsSentOutsideOfATurn() {
    List<Durable> objects = new ArrayList<>();
    TestedActor<Do> actor = durable((self, message) -> objects.add(self));
    actor.tell(new Do("x"));
    assertThatThrownBy(() -> objects.get(0).tells("/a", "late"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tell of /durable outside of a turn");
  }

  /** Message that JSON cannot express. */
  record Strange(Thread thread) {}

  record Changing(String text) {
    Changing {
      text = text + "!";
    }
  }

  @Test
  void aValueThatCannotBeStoredFails() {
    TestedActor<Do> strange =
        durable((self, message) -> self.answers(new Strange(Thread.currentThread())));
    assertThat(strange.failure(() -> strange.tell(new Do("x"))))
        .isInstanceOf(io.callboard.codecs.CodecException.class);
    assertThatThrownBy(
            () -> durable((self, message) -> self.answers(new Changing("a"))).tell(new Do("x")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("changes when it is stored and read");
  }

  sealed interface Fact {
    record Added(long amount) implements Fact {}
  }

  private static final class Ledger extends PersistentActor<Do, Fact, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected Total apply(Total state, Fact event) {
      return new Total(state.value() + ((Fact.Added) event).amount());
    }

    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(
          Do.class,
          message -> {
            persist(new Fact.Added(message.what().length()));
            reply(state());
          });
    }
  }

  @Test
  void eventsAreReplayed() {
    TestedActor<Do> ledger = TestedActor.of(Ledger::new).from(new Total(10)).start();
    Effects effects = ledger.tell(new Do("four"));
    assertThat(effects.list())
        .containsExactly(
            new Persisted(new Fact.Added(4)),
            new Updated(new Total(14)),
            new Answered(new Total(14)));
    assertThat(effects.events()).containsExactly(new Fact.Added(4));
    ledger.restart();
    assertThat(ledger.tell(new Do("x")).answer(Total.class)).isEqualTo(new Total(15));
    assertThat(ledger.state(Total.class)).isEqualTo(new Total(15));
  }

  sealed interface Event {
    record Open() implements Event {}

    record Work(String what) implements Event {}

    record Tick() implements Event {}

    record Gone(String who) implements Event {}

    record Close() implements Event {}
  }

  private static final class Child extends Actor<Do> {
    @Override
    protected void protocol(Protocol<Do> on) {
      on.message(Do.class, message -> {});
    }
  }

  /** Closed at first. */
  private static final class Shop extends Actor<Event> {
    private int ticks;

    @Override
    protected void protocol(Protocol<Event> on) {
      on.message(
              Event.Open.class,
              open -> {
                become(this::open);
                unstashAll();
                startPeriodicTimer("tick", Duration.ofMinutes(1), new Event.Tick());
              })
          .others(other -> stash());
    }

    private void open(Protocol<Event> on) {
      on.message(Event.Work.class, work -> reply(new Did(work.what())))
          .message(Event.Tick.class, tick -> ticks++)
          .message(Event.Gone.class, gone -> reply(new Did(gone.who() + " " + ticks)))
          .message(Event.Close.class, close -> stopSelf())
          .async(
              Event.Open.class,
              open ->
                  spawnChild("child", Child::new, new ActorOptions())
                      .onSuccess(
                          child -> {
                            watch(child, end -> new Event.Gone(end.reason()));
                            pipeToSelf(
                                Future.succeededFuture("piped"),
                                done -> new Event.Work(done.result()));
                          }));
    }
  }

  @Test
  void aVolatileActorStashesBecomesAndWatches() {
    TestedActor<Event> shop = TestedActor.of(Shop::new).path("/shop").start();
    Event.Work early = new Event.Work("early");
    assertThat(shop.tell(early).list()).containsExactly(new Stashed(early));
    assertThat(shop.tell(new Event.Open()).list())
        .containsExactly(
            new Became(),
            new Unstashed(1),
            new TimerStarted("tick", Duration.ofMinutes(1), new Event.Tick(), true),
            new Answered(new Did("early")));
    assertThat(shop.tell(new Event.Open()).list())
        .containsExactly(
            new Spawned("/shop/child", Child.class),
            new Watched("/shop/child"),
            new ToldSelf(new Event.Work("piped")),
            new Answered(new Did("piped")));
    shop.fire("tick");
    shop.fire("tick");
    assertThat(shop.ended("/shop/child", "it was stopped").answer(Did.class))
        .isEqualTo(new Did("it was stopped 2"));
    assertThatThrownBy(() -> shop.fire("tock"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("/shop has no running timer tock");
    assertThat(shop.tell(new Event.Close()).list()).containsExactly(new Stopped());
    assertThat(shop.hasStopped()).isTrue();
    assertThatThrownBy(() -> shop.tell(early)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aStashedMessageSurvivesARestart() {
    TestedActor<Event> shop = TestedActor.of(Shop::new).start();
    shop.tell(new Event.Work("early"));
    assertThat(shop.restart().list()).containsExactly(new Stashed(new Event.Work("early")));
    assertThat(shop.tell(new Event.Open()).answer(Did.class)).isEqualTo(new Did("early"));
  }

  @Test
  void aTestedActorRunsInANode() {
    TestedActor<Do> actor =
        async(
            (self, message) ->
                self.waitsFor(self.callboardOf().members())
                    .onSuccess(all -> self.answers(new Did(all.get(0).name()))));
    assertThat(actor.tell(new Do("x")).answer(Did.class)).isEqualTo(new Did("tested"));
  }

  @Test
  void anActorThatTellsItselfSomethingWithoutEndIsFound() {
    TestedActor<Event> loop = TestedActor.of(Loop::new).path("/loop").start();
    assertThatThrownBy(() -> loop.tell(new Event.Open()))
        .hasMessageContaining("/loop keeps sending messages to itself");
  }

  private static final class Loop extends Actor<Event> {
    @Override
    protected void protocol(Protocol<Event> on) {
      on.others(event -> pipeToSelf(Future.succeededFuture(event), AsyncResult::result));
    }
  }

  /** A method with a default implementation would bypass the record. */
  @Test
  void allThatAnActorCanDoIsRecorded() {
    assertThat(Stream.of(VolatileContext.class, DurableContext.class))
        .flatMap(kind -> List.of(kind.getMethods()))
        .allSatisfy(
            method ->
                assertThat(
                        RecordingContext.class
                            .getMethod(method.getName(), method.getParameterTypes())
                            .getDeclaringClass())
                    .as(method.toString())
                    .isEqualTo(RecordingContext.class));
  }

  /** Nobody closes tested actors; those that were not used for long are closed. */
  @Test
  void manyCanBeTestedAndTheLastOnesAreKept() {
    List<TestedActor<Do>> all = new ArrayList<>();
    for (int i = 0; i <= TestedNode.MOST; i++) {
      all.add(TestedActor.of(Child::new).start());
    }
    assertThat(all.get(1).tell(new Do("x")).list()).isEmpty();
    assertThatThrownBy(() -> all.get(0).tell(new Do("x")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "/tested is no longer running: 8 other tested actors were used since, and no more are kept");
  }

  private static final Duration MOST_OF_ONE = Duration.ofMillis(50);

  /** A test of one actor is to be quick; see the figures in the note of the package. */
  @Test
  @Tag("nightly") // goes by the speed of the machine
  void aTestOfAnActorTakesSomeMilliseconds() {
    long best = Long.MAX_VALUE;
    // as often as it takes until the code is warm and the machine runs it at once
    for (int i = 0; i < 300 && (i < 30 || best >= MOST_OF_ONE.toNanos()); i++) {
      long began = System.nanoTime();
      durable((self, message) -> self.becomes(self.value() + 1)).tell(new Do("x"));
      best = Math.min(best, System.nanoTime() - began);
    }
    assertThat(Duration.ofNanos(best)).isLessThan(MOST_OF_ONE);
  }
}
