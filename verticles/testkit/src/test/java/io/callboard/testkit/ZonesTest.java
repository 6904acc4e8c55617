package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.answering;
import static io.callboard.testkit.SampleActors.hearing;
import static io.callboard.testkit.ZoneActors.in;
import static io.callboard.testkit.ZoneActors.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.Protocol;
import io.callboard.admin.ZoneStatus;
import io.callboard.supervision.Backoff;
import io.callboard.testkit.ZoneActors.Answering;
import io.callboard.testkit.ZoneActors.Blocking;
import io.callboard.testkit.ZoneActors.Go;
import io.callboard.testkit.ZoneActors.Went;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZonePriority;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of actors in scheduling zones, and of the isolation of zones. */
class ZonesTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  /** Less than {@link ZoneActors#opened} blocks a thread. */
  private static final Duration LESS_THAN_BLOCKED = Duration.ofSeconds(15);

  private Callboard callboard;

  private void open(ZoneOptions zone) {
    callboard = nodes.open("test", options -> options.zone("busy", zone));
  }

  /** Tells itself, again and again. */
  static final class Endless extends Actor<Go> {
    private final AtomicBoolean stop;
    private final AtomicInteger handled;

    Endless(AtomicBoolean stop, AtomicInteger handled) {
      this.stop = stop;
      this.handled = handled;
    }

    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(
          Go.class,
          go -> {
            handled.incrementAndGet();
            if (!stop.get()) {
              self().tell(go);
            }
          });
    }
  }

  private CountDownLatch blocked(String path) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    ActorRef<Go> blocking =
        await(callboard.spawn(path, () -> new Blocking(begun, open), in("busy")));
    await(blocking.tell(new Go(1)));
    opened(begun);
    return open;
  }

  private ZoneStatus busy() {
    return callboard.admin().zones().stream()
        .filter(z -> z.name().equals("busy"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anActorWithEndlessMailLeavesItsThreadToTheOthers() throws Exception {
    open(ZoneOptions.fixed(1));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger handled = new AtomicInteger();
    ActorRef<Go> endless =
        await(callboard.spawn("/endless", () -> new Endless(stop, handled), in("busy")));
    ActorRef<Go> other =
        await(
            callboard.spawn(
                "/other", answering(Go.class, go -> new Went(handled.get())), in("busy")));
    for (int i = 0; i < 100; i++) {
      await(endless.tell(new Go(i)));
    }
    List<Integer> passed = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int before = handled.get();
      passed.add(await(other.ask(new Go(i), Went.class)).number() - before);
    }
    stop.set(true);
    passed.sort(null);
    assertThat(passed.get(passed.size() - 1)).as("it went on meanwhile").isPositive();
    assertThat(passed.get(passed.size() / 2)).as("median of messages before it").isLessThan(5_000);
  }

  @Test
  void aZoneThatRejectsTellsThoseWhoTell() throws Exception {
    open(ZoneOptions.fixed(1).queue(1).whenFull(ZoneOptions.WhenFull.REJECT));
    List<ActorRef<Go>> actors = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      actors.add(await(callboard.spawn("/a" + i, Answering::new, in("busy"))));
    }
    CountDownLatch open = blocked("/holder");
    List<Future<Went>> accepted = new ArrayList<>();
    for (ActorRef<Go> actor : actors.subList(0, 2)) {
      accepted.add(actor.ask(new Go(7), Went.class));
    }
    assertThatThrownBy(() -> await(actors.get(2).tell(new Go(8))))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.MAILBOX_FULL))
        .hasMessageContaining("too many slices wait in zone busy");
    assertThat(busy().full()).isTrue();
    open.countDown();
    for (Future<Went> each : accepted) {
      assertThat(await(each)).isEqualTo(new Went(7));
    }
    assertThat(await(actors.get(2).ask(new Go(9), Went.class))).isEqualTo(new Went(9));
    assertThat(busy().full()).isFalse();
  }

  @Test
  void optionsThatAZoneCannotServeAreRefusedAtTheStart() throws Exception {
    open(ZoneOptions.forkJoin(1));
    assertThatThrownBy(
            () ->
                await(
                    callboard.spawn(
                        "/a", Answering::new, in("busy").zonePriority(ZonePriority.HIGH))))
        .hasMessageContaining("zone busy is of kind fork-join, which has no priorities");
    assertThatThrownBy(() -> await(callboard.spawn("/a", Answering::new, in("supervision"))))
        .hasMessageContaining("zone supervision is reserved for supervisors");
  }

  /** Actor that tells another one, and waits for its effect. */
  static final class Waiting extends Actor<Go> {
    private final ActorRef<Go> other;
    private final CountDownLatch done;

    Waiting(ActorRef<Go> other, CountDownLatch done) {
      this.other = other;
      this.done = done;
    }

    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(
          Go.class,
          go -> {
            tell(other, go);
            opened(done);
          });
    }
  }

  @Test
  void mailBehindABlockedThreadIsHandledByThreadsWithEndlessMail() throws Exception {
    open(ZoneOptions.forkJoin(2));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger handled = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    ActorRef<Go> endless =
        await(callboard.spawn("/endless", () -> new Endless(stop, handled), in("busy")));
    ActorRef<Go> opening =
        await(callboard.spawn("/opening", hearing(Go.class, go -> done.countDown()), in("busy")));
    ActorRef<Go> waiting =
        await(callboard.spawn("/waiting", () -> new Waiting(opening, done), in("busy")));
    await(endless.tell(new Go(1)));
    Eventually.assertThat(() -> assertThat(handled.get()).isPositive());
    await(waiting.tell(new Go(2)));
    opened(done);
    stop.set(true);
  }

  @Test
  void anActorOfAForkJoinZoneIsToldToReturnTheFutureItWouldAwait() throws Exception {
    open(ZoneOptions.forkJoin(1));
    ActorRef<Go> awaiting =
        await(
            callboard.spawn(
                "/awaiting",
                () ->
                    new Actor<Go>() {
                      @Override
                      public Class<Go> messageType() {
                        return Go.class;
                      }

                      @Override
                      protected void protocol(Protocol<Go> on) {
                        on.message(Go.class, go -> vertx.timer(1).await());
                      }
                    },
                in("busy")));
    assertThatThrownBy(() -> await(awaiting.ask(new Go(1), Went.class)))
        .hasMessageContaining("/awaiting cannot await a future in zone busy")
        .hasMessageContaining("return the future");
  }

  /** The context of an actor ends with it, and so does what was deployed on that context. */
  @Test
  void verticlesThatAnActorDeploysEndWithIt() throws Exception {
    open(ZoneOptions.forkJoin(1));
    CountDownLatch deployed = new CountDownLatch(1);
    CountDownLatch undeployed = new CountDownLatch(1);
    await(
        callboard.spawn(
            "/deploying",
            () ->
                new Actor<Go>() {
                  @Override
                  public Class<Go> messageType() {
                    return Go.class;
                  }

                  @Override
                  protected void protocol(Protocol<Go> on) {
                    on.message(Go.class, go -> {});
                  }

                  @Override
                  protected Future<?> started() {
                    return vertx
                        .deployVerticle(
                            new VerticleBase() {
                              @Override
                              public Future<?> stop() {
                                undeployed.countDown();
                                return Future.succeededFuture();
                              }
                            })
                        .onSuccess(id -> deployed.countDown());
                  }
                },
            in("busy")));
    opened(deployed);
    await(callboard.stop("/deploying"));
    assertThat(undeployed.getCount()).isZero();
  }

  @Test
  void aBlockedActorIsNamed() throws Exception {
    open(ZoneOptions.fixed(1).blockedAfter(Duration.ofMillis(200)));
    CountDownLatch open = blocked("/shop/slow");
    Eventually.assertThat(() -> assertThat(busy().blocked()).isNotEmpty());
    assertThat(busy().blocked().get(0).actor()).isEqualTo("/shop/slow");
    assertThat(busy().blocked().get(0).stack()).anyMatch(f -> f.contains("CountDownLatch.await"));
    open.countDown();
  }

  /** Actor that fails on request, and reports when it runs again. */
  static final class Failing extends Actor<Go> {
    private final AtomicInteger starts;

    Failing(AtomicInteger starts) {
      this.starts = starts;
    }

    @Override
    protected Future<?> started() {
      starts.incrementAndGet();
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(
          Go.class,
          go -> {
            throw new IllegalStateException("as told");
          });
    }
  }

  @Test
  void aSupervisorActsWhileOtherZonesAreBlocked() throws Exception {
    open(ZoneOptions.fixed(1));
    ActorRef<Go> behind = await(callboard.spawn("/behind", Answering::new, in("busy")));
    CountDownLatch open = blocked("/holder");
    Future<Went> waits = behind.ask(new Go(7), Went.class);
    AtomicInteger starts = new AtomicInteger();
    ActorRef<Go> failing =
        await(
            callboard.spawn(
                "/failing",
                () -> new Failing(starts),
                in("blocking")
                    .backoff(Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1)))));
    for (int i = 1; i <= 5; i++) {
      await(failing.tell(new Go(i)));
      int restarts = i;
      Eventually.assertThat(() -> assertThat(starts).hasValueGreaterThan(restarts));
    }
    assertThat(waits.isComplete()).as("the other zone is free").isFalse();
    open.countDown();
    assertThat(await(waits)).isEqualTo(new Went(7));
  }

  @Test
  void aSupervisorActsWhileAllEventLoopsAreBlocked() throws Exception {
    open(ZoneOptions.fixed(1));
    AtomicInteger starts = new AtomicInteger();
    ActorRef<Go> failing =
        await(
            callboard.spawn(
                "/failing",
                () -> new Failing(starts),
                in("busy")
                    .backoff(Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1)))));
    CountDownLatch open = new CountDownLatch(1);
    Set<Thread> held = ConcurrentHashMap.newKeySet();
    while (held.size() < VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE) {
      ((VertxInternal) callboard.vertx())
          .createEventLoopContext()
          .runOnContext(
              v -> {
                held.add(Thread.currentThread());
                opened(open);
              });
    }
    Future<Void> accepted = failing.tell(new Go(1));
    try {
      Eventually.assertThat(LESS_THAN_BLOCKED, () -> assertThat(starts).hasValue(2));
    } finally {
      open.countDown();
    }
    await(accepted);
  }
}
