package io.callboard.internal.node;

import static io.callboard.internal.Waits.await;
import static io.callboard.internal.node.TestNode.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.CallboardException;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.inmemory.LifeOwner;
import io.callboard.internal.inmemory.Stash;
import io.callboard.internal.inmemory.VolatileActorContext;
import io.callboard.internal.lifecycle.ActorInstance;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.node.TestNode.Add;
import io.callboard.internal.node.TestNode.Counter;
import io.callboard.internal.node.TestNode.Total;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Every start and end of a life comes to an end itself, and leaves nothing behind. */
class ActorLifecyclesTest {
  private static final ActorOptions ONCE =
      new ActorOptions().supervision(new SupervisionOptions().intensity(0, Duration.ofMinutes(1)));
  private static final ActorOptions QUICK =
      new ActorOptions()
          .backoff(
              Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1), Backoff.Jitter.NONE));

  private final List<String> seen = new CopyOnWriteArrayList<>();

  record Work() {}

  record Done() {}

  /** Starts as it is told, and says when it stops. */
  private final class Starter extends Actor<Work> {
    private final String name;
    private final Supplier<Future<?>> start;

    Starter(String name, Supplier<Future<?>> start) {
      this.name = name;
      this.start = start;
    }

    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(Work.class, work -> reply(new Done()));
    }

    @Override
    protected Future<?> started() {
      seen.add(name + " starts");
      return start.get();
    }

    @Override
    protected Future<?> stopped() {
      seen.add(name + " stops");
      return Future.succeededFuture();
    }

    Future<String> deploys(VerticleBase verticle) {
      return vertx.deployVerticle(verticle);
    }

    void runs(Runnable task) {
      context.runOnContext(v -> task.run());
    }
  }

  /** A durable one. */
  private final class Keeper extends DurableStateActor<Add, Total> {
    private final String name;
    private final Supplier<Future<?>> start;

    Keeper(String name, Supplier<Future<?>> start) {
      this.name = name;
      this.start = start;
    }

    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            if (add.amount() < 0) {
              throw new IllegalArgumentException("negative");
            }
            update(new Total(state().value() + add.amount()));
            reply(state());
          });
    }

    @Override
    protected Future<?> started() {
      seen.add(name + " starts");
      return start.get();
    }

    @Override
    protected Future<?> stopped() {
      seen.add(name + " stops");
      return Future.succeededFuture();
    }
  }

  private final class Deployed extends VerticleBase {
    private final Future<?> start;

    Deployed(Future<?> start) {
      this.start = start;
    }

    @Override
    public Future<?> start() {
      return start;
    }

    @Override
    public Future<?> stop() {
      seen.add("what it deployed stops");
      return Future.succeededFuture();
    }
  }

  /** Owner that takes nothing. */
  private static final class Owner implements LifeOwner {
    @Override
    public void offerOwn(Delivery own) {}

    @Override
    public void refusedCall(IllegalStateException cause) {}

    @Override
    public void wake() {}
  }

  private ActorInstance incarnation(TestNode node, Starter actor, List<Throwable> failures) {
    ActorRefImpl<Work> self =
        new ActorRefImpl<>(node.parts.messageSender(), ActorPath.of("/a"), false, Work.class);
    VolatileActorContext scope =
        new VolatileActorContext(
            node.parts.environment(),
            self,
            () -> new Stash(self.path(), 1, lost -> {}),
            new Owner());
    @SuppressWarnings("unchecked")
    Actor<Object> any = (Actor<Object>) (Actor<?>) actor;
    return new ActorInstance(
        node.parts.environment(), node.parts.supervisor(), any, ONCE, scope, failures::add);
  }

  @Test
  void verticlesThatAFailedStartHadDeployedEndWithIt() throws Exception {
    try (TestNode node = new TestNode().open()) {
      int before = node.vertx.deploymentIDs().size();
      Promise<Void> late = Promise.promise();
      Promise<String> deployed = Promise.promise();
      Starter[] actor = new Starter[1];
      actor[0] =
          new Starter(
              "a",
              () -> {
                actor[0].deploys(new Deployed(late.future())).onComplete(deployed);
                return actor[0]
                    .deploys(new Deployed(Future.succeededFuture()))
                    .compose(id -> Future.failedFuture("not today"));
              });
      assertThat(failure(node.spawn("/a", () -> actor[0], ONCE)))
          .hasMessage("/a could not be started: not today");
      assertThat(seen).containsExactly("a starts", "what it deployed stops");
      late.complete();
      assertThat(failure(deployed.future())).as("deployed after the end").isNotNull();
      assertThat(node.vertx.deploymentIDs()).hasSize(before);
    }
  }

  @Test
  void aDeployedVerticleHoldsUpTheStopOnlyForAWhile() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Starter[] actor = new Starter[1];
      VerticleBase endless =
          new VerticleBase() {
            @Override
            public Future<?> stop() {
              seen.add("what it deployed stops");
              return Promise.promise().future();
            }
          };
      actor[0] = new Starter("a", () -> actor[0].deploys(endless));
      ActorOptions options = new ActorOptions(ONCE).stopTimeout(Duration.ofMillis(500));
      await(node.spawn("/a", () -> actor[0], options));
      await(node.parts.actors().stop(ActorPath.of("/a")));
      assertThat(seen).containsExactly("a starts", "what it deployed stops", "a stops");
    }
  }

  @Test
  void anActorSpawnedWhileTheNodeClosesDoesNotStart() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Supplier<Actor<Work>> closing =
          () -> {
            node.parts.context().closing();
            try {
              await(closeActors(node));
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
            return new Starter("a", Future::succeededFuture);
          };
      assertThat(failure(node.spawn("/a", closing, ONCE))).hasMessageContaining("this node");
      assertThat(seen).isEmpty();
      assertThat(node.parts.actors().status()).isEmpty();
    }
  }

  private static Future<Void> closeActors(TestNode node) {
    Promise<Void> closed = Promise.promise();
    node.parts.context().onDurableContext(() -> node.parts.actors().close().onComplete(closed));
    return closed.future();
  }

  private static Supplier<Future<?>> holds(CountDownLatch held) {
    return () -> {
      try {
        held.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Future.succeededFuture();
    };
  }

  @Test
  void aStartThatKeepsItsThreadFailsAllTheSame() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    Duration soon = Duration.ofMillis(10);
    Duration limit = Duration.ofSeconds(1);
    ActorOptions options = new ActorOptions(ONCE).startTimeout(limit).stopTimeout(soon);
    TestNode node = new TestNode().open();
    Future<ActorRef<Work>> plain = node.spawn("/a", () -> new Starter("a", holds(held)), options);
    Future<ActorRef<Add>> durable = node.spawn("/s/b", () -> new Keeper("b", holds(held)), options);
    String why = "did not end within 1000 ms: its thread is still blocked";
    assertThat(failure(plain)).hasMessageContaining(why);
    assertThat(failure(durable)).hasMessageContaining(why);
    await(node.shut());
    held.countDown();
    await(node.vertx.close());
  }

  /** The first time as it says; then a success, which is told. */
  private static Supplier<Future<?>> first(Supplier<Future<?>> start, Promise<Void> second) {
    AtomicInteger starts = new AtomicInteger();
    return () -> {
      if (starts.incrementAndGet() == 1) {
        return start.get();
      }
      second.tryComplete();
      return Future.succeededFuture();
    };
  }

  @Test
  void noLifeStartsBeforeAStartThatKeptItsThreadHasEnded() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    ActorOptions options =
        new ActorOptions(QUICK).zone(ZoneDefaults.BLOCKING).startTimeout(Duration.ofSeconds(1));
    try (TestNode node = new TestNode().open()) {
      Promise<Void> again = Promise.promise();
      Supplier<Future<?>> plainStart = first(holds(held), again);
      Future<ActorRef<Work>> plain = node.spawn("/a", () -> new Starter("a", plainStart), options);
      Promise<Void> durablyAgain = Promise.promise();
      Supplier<Future<?>> durableStart = first(holds(held), durablyAgain);
      Future<ActorRef<Add>> durable =
          node.spawn("/s/b", () -> new Keeper("b", durableStart), options);
      assertThat(failure(plain))
          .hasMessageContaining("within 1000 ms: its thread is still blocked");
      assertThat(failure(durable)).hasMessageContaining("its thread is still blocked");
      Promise<Void> other = Promise.promise();
      Supplier<Future<?>> otherStart = first(() -> Future.failedFuture("not yet"), other);
      assertThat(failure(node.spawn("/c", () -> new Starter("c", otherStart), options)))
          .hasMessageContaining("not yet");
      await(other.future()); // one that failed later is restarted
      assertThat(seen).containsOnlyOnce("a starts", "b starts");
      held.countDown();
      await(again.future());
      await(durablyAgain.future());
      assertThat(seen).containsSubsequence("a starts", "a stops", "a starts");
      assertThat(seen).containsSubsequence("b starts", "b stops", "b starts");
    }
  }

  @Test
  void aStartThatWaitsForSomethingIsGivenUpAtOnceWhenItIsEnded() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Promise<Void> start = Promise.promise();
      Promise<Void> begun = Promise.promise();
      List<Throwable> failures = new CopyOnWriteArrayList<>();
      ActorInstance life =
          incarnation(
              node,
              new Starter(
                  "a",
                  () -> {
                    begun.complete();
                    return start.future();
                  }),
              failures);
      Future<Void> started = life.start();
      await(begun.future());
      await(life.end());
      assertThat(failure(started)).hasMessageContaining("stopped");
      start.complete();
      await(life.atLast(() -> seen.add("last")));
      assertThat(seen).as("as one that ends too late").containsExactly("a starts", "last");
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void aStopGivesUpAStartThatWaitsForSomething() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Promise<Void> start = Promise.promise();
      Promise<Void> durableStart = Promise.promise();
      Promise<Void> begun = Promise.promise();
      Promise<Void> durablyBegun = Promise.promise();
      Future<ActorRef<Work>> first =
          node.spawn(
              "/a",
              () ->
                  new Starter(
                      "a",
                      () -> {
                        begun.complete();
                        return start.future();
                      }),
              ONCE);
      Future<ActorRef<Add>> second =
          node.spawn(
              "/s/b",
              () ->
                  new Keeper(
                      "b",
                      () -> {
                        durablyBegun.complete();
                        return durableStart.future();
                      }),
              ONCE);
      await(begun.future());
      await(durablyBegun.future());
      await(node.parts.actors().stop(ActorPath.of("/a")));
      await(node.parts.actors().stop(ActorPath.of("/s/b")));
      assertThat(failure(first)).hasMessageContaining("stopped");
      assertThat(failure(second)).hasMessageContaining("stopped");
      start.complete();
      durableStart.complete();
      ActorRef<Work> again =
          await(node.spawn("/a", () -> new Starter("c", Future::succeededFuture), ONCE));
      assertThat(await(again.ask(new Work(), Done.class))).isEqualTo(new Done());
      assertThat(await(node.spawn("/s/b", () -> new Keeper("d", Future::succeededFuture), ONCE)))
          .isNotNull();
      assertThat(seen).containsExactlyInAnyOrder("a starts", "b starts", "c starts", "d starts");
    }
  }

  @Test
  void aFactoryThatMakesNothingToBeginWithLeavesNoActor() throws Exception {
    try (TestNode node = new TestNode().open()) {
      for (String path : List.of("/a", "/s/a")) {
        Throwable thrown =
            failure(
                node.<Work>spawn(
                    path,
                    () -> {
                      throw new NoClassDefFoundError("as told");
                    },
                    QUICK));
        assertThat(((CallboardException) thrown).code())
            .isEqualTo(CallboardException.Code.START_FAILED);
        assertThat(thrown)
            .hasMessageStartingWith(path + " could not be started: its factory failed: ")
            .hasMessageContaining("as told")
            .hasCauseInstanceOf(NoClassDefFoundError.class);
        assertThat(failure(node.<Work>spawn(path, () -> null, QUICK)))
            .hasMessage(path + " could not be started: the factory made no actor");
      }
      assertThat(failure(node.parts.actors().<Work>host("/h", () -> null, QUICK)))
          .hasMessage("/h could not be started: the factory made no actor");
      assertThat(node.parts.actors().status()).isEmpty();
      ActorRef<Work> actor =
          await(node.spawn("/a", () -> new Starter("a", Future::succeededFuture), QUICK));
      assertThat(await(actor.ask(new Work(), Done.class))).isEqualTo(new Done());
    }
  }

  /** Actor without an initial state. */
  private static final class Empty extends DurableStateActor<Add, Total> {
    @Override
    @SuppressWarnings("NullAway") // what is tested
    protected Total initial() {
      return null;
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(Add.class, add -> {});
    }
  }

  @Test
  void aStartThatIsIncompleteNamesTheClass() throws Exception {
    try (TestNode node = new TestNode().open()) {
      assertThat(failure(node.spawn("/s/1", Empty::new, ONCE)))
          .hasMessage(
              "/s/1 could not be started: initial() of %s returned null"
                  .formatted(Empty.class.getName()));
      assertThat(
              failure(
                  node.spawn(
                      "/2",
                      () ->
                          new Actor<Work>() {
                            @Override
                            protected void protocol(Protocol<Work> on) {}

                            @Override
                            public Class<Work> messageType() {
                              return Work.class;
                            }
                          },
                      ONCE)))
          .hasMessageContaining(getClass().getName() + "$")
          .hasMessageContaining("does not handle [Work]");
    }
  }

  @Test
  void aFailureBesideAStartFailsIt() throws Exception {
    try (TestNode node = new TestNode().open()) {
      Starter[] actor = new Starter[1];
      actor[0] =
          new Starter(
              "a",
              () -> {
                actor[0].runs(
                    () -> {
                      throw new IllegalStateException("beside it");
                    });
                return Promise.promise().future();
              });
      assertThat(failure(node.spawn("/a", () -> actor[0], ONCE)))
          .hasMessage("/a could not be started: beside it");
    }
  }

  @Test
  void aDurableActorBeginsWhenNothingIsLeftOfTheOneBefore() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    ActorOptions blocking = new ActorOptions(ONCE).zone(ZoneDefaults.BLOCKING);
    try (TestNode node = new TestNode().open()) {
      Promise<Void> begun = Promise.promise();
      Future<ActorRef<Add>> first =
          node.spawn(
              "/s/a",
              () ->
                  new Keeper(
                      "first",
                      () -> {
                        begun.complete();
                        return holds(held).get();
                      }),
              blocking);
      await(begun.future());
      Future<Void> stopped = node.parts.actors().stop(ActorPath.of("/s/a"));
      Future<ActorRef<Add>> second =
          node.spawn("/s/a", () -> new Keeper("second", Future::succeededFuture), ONCE);
      await(node.spawn("/s/b", Counter::new, ONCE));
      assertThat(stopped.isComplete()).as("its start holds its thread").isFalse();
      held.countDown();
      await(stopped);
      assertThat(await(await(second).ask(new Add(1), Total.class))).isEqualTo(new Total(1));
      assertThat(seen).containsExactly("first starts", "first stops", "second starts");
      assertThat(failure(first)).hasMessageContaining("stopped");
    }
  }

  @Test
  void anErrorOfAFactoryIsAFailedStart() throws Exception {
    try (TestNode node = new TestNode().open()) {
      AtomicInteger made = new AtomicInteger();
      ActorRef<Add> keeper =
          await(
              node.spawn(
                  "/s/a",
                  () -> {
                    if (made.incrementAndGet() == 3) { // 1 is asked for its protocol
                      throw new NoClassDefFoundError("as told");
                    }
                    return new Keeper("a", Future::succeededFuture);
                  },
                  new ActorOptions(QUICK).attempts(1)));
      assertThat(failure(keeper.ask(new Add(-1), Total.class))).hasMessageContaining("negative");
      assertThat(await(keeper.ask(new Add(2), Total.class))).isEqualTo(new Total(2));
      assertThat(made).hasValue(4);
    }
  }

  /** Puts its first message aside, and takes it up when no message is at hand. */
  private static final class Later extends Actor<Work> {
    private boolean ready;

    @Override
    protected void protocol(Protocol<Work> on) {
      on.message(
          Work.class,
          work -> {
            if (ready) {
              reply(new Done());
              return;
            }
            stash();
            context.runOnContext(
                v -> {
                  ready = true;
                  unstashAll();
                });
          });
    }
  }

  /** The actor's factory fails once, with an error. */
  @Test
  void aVolatileActorSurvivesItToo() throws Exception {
    try (TestNode node = new TestNode().open()) {
      AtomicInteger made = new AtomicInteger();
      Starter[] last = new Starter[1];
      ActorRef<Work> actor =
          await(
              node.spawn(
                  "/a",
                  () -> {
                    if (made.incrementAndGet() == 2) {
                      throw new NoClassDefFoundError("as told");
                    }
                    last[0] = new Starter("a", Future::succeededFuture);
                    return last[0];
                  },
                  QUICK));
      Promise<Void> thrown = Promise.promise();
      last[0].runs(
          () -> {
            thrown.complete();
            throw new IllegalStateException("as told");
          });
      await(thrown.future());
      assertThat(await(actor.ask(new Work(), Done.class))).isEqualTo(new Done());
    }
  }

  @Test
  void stashedMessagesTakenUpWithoutAMessageAtHandAreHandled() throws Exception {
    try (TestNode node = new TestNode().open()) {
      ActorRef<Work> later = await(node.spawn("/later", Later::new, ONCE));
      assertThat(await(later.ask(new Work(), Done.class))).isEqualTo(new Done());
    }
  }
}
