package io.callboard.testkit.failure;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Intercepted;
import io.callboard.testkit.NodesExtension;
import io.callboard.zone.ZoneOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Test that each kind of failure of an actor appears in its history as that kind. */
class FailureKindsTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final ActorOptions OPTIONS =
      new ActorOptions()
          .zone("own")
          .attempts(2)
          .startTimeout(Duration.ofSeconds(10))
          .turnTimeout(Duration.ofSeconds(10))
          .stopTimeout(Duration.ofSeconds(5))
          .backoff(
              Backoff.exponential(
                  Duration.ofMillis(5), Duration.ofMillis(20), Backoff.Jitter.FULL));

  /** Kind of trouble that an actor is to have, with its kind of failure. */
  enum Trouble {
    THROW(Kind.THROWN, "broken"),
    FAILED_FUTURE(Kind.THROWN, "broken later"),
    NEVER_DONE(Kind.OVERDUE, "it did not end within 50 ms"),
    OUTSIDE(Kind.OUTSIDE, "broken outside"),
    START(Kind.START, "no start"),
    START_HANGS(Kind.START_OVERDUE, "did not end within 50 ms"),
    RETURNS_LATE(Kind.OVERDUE, "it held its thread for");

    private final Kind kind;
    private final String cause;

    Trouble(Kind kind, String cause) {
      this.kind = kind;
      this.cause = cause;
    }
  }

  sealed interface Order {}

  record Make(Trouble trouble) implements Order {}

  record Swell(int characters) implements Order {}

  record Text(String text) {}

  @RegisterExtension final NodesExtension nodes = new NodesExtension();
  private final AtomicInteger starts = new AtomicInteger();
  private final AtomicInteger interruptions = new AtomicInteger();
  private final Map<String, MemoryStore> stores = new ConcurrentHashMap<>();
  private final CountDownLatch free = new CountDownLatch(1);
  private Callboard callboard;

  @BeforeEach
  void start() {
    callboard = node("one");
  }

  private Callboard node(String name) {
    MemoryStore store = new MemoryStore(nodes.cell());
    stores.put(name, store);
    ZoneOptions own = ZoneOptions.fixed(4);
    ZoneOptions watched = ZoneOptions.fixed(4).blockedAfter(Duration.ofMillis(200));
    return nodes.open(
        name,
        options -> options.zone("own", own).zone("watched", watched).store(() -> weak(store)));
  }

  /** Returns a store that fails to load for a while. */
  private Store weak(MemoryStore store) {
    return Intercepted.of(
        Store.class,
        store,
        call -> {
          if (call.is("load") && interruptions.getAndDecrement() > 0) {
            return Future.failedFuture(
                StoreException.unavailable("no store", new IllegalStateException("gone")));
          }
          return call.proceed();
        });
  }

  @AfterEach
  void stop() {
    free.countDown();
  }

  /** Causes the trouble; the first start may be the trouble. */
  private Future<?> make(Trouble trouble) {
    return switch (trouble) {
      case THROW -> throw new IllegalStateException("broken");
      case FAILED_FUTURE -> {
        Promise<Void> later = Promise.promise();
        Context here = Vertx.currentContext();
        here.runOnContext(v -> later.fail("broken later"));
        yield later.future();
      }
      case NEVER_DONE -> Promise.promise().future();
      case OUTSIDE -> {
        Vertx.currentContext()
            .runOnContext(
                v -> {
                  throw new IllegalStateException("broken outside");
                });
        yield Future.succeededFuture();
      }
      case START, START_HANGS -> Future.succeededFuture();
      case RETURNS_LATE -> {
        hold();
        yield Future.succeededFuture();
      }
    };
  }

  private void hold() {
    try {
      free.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Future<?> started(Trouble trouble) {
    boolean first = starts.getAndIncrement() == 0;
    if (!first) {
      return Future.succeededFuture();
    }
    return switch (trouble) {
      case START -> Future.failedFuture(new IllegalStateException("no start"));
      case START_HANGS -> Promise.promise().future();
      default -> Future.succeededFuture();
    };
  }

  private final class Volatile extends Actor<Make> {
    private final Trouble trouble;

    Volatile(Trouble trouble) {
      this.trouble = trouble;
    }

    @Override
    protected Future<?> started() {
      return FailureKindsTest.this.started(trouble);
    }

    @Override
    protected void protocol(Protocol<Make> on) {
      on.async(Make.class, make -> make(make.trouble()));
    }
  }

  private final class Durable extends DurableStateActor<Order, Text> {
    private final Trouble trouble;

    Durable(Trouble trouble) {
      this.trouble = trouble;
    }

    @Override
    protected Text initial() {
      return new Text("");
    }

    @Override
    protected Future<?> started() {
      return FailureKindsTest.this.started(trouble);
    }

    @Override
    protected void protocol(Protocol<Order> on) {
      on.async(Make.class, make -> make(make.trouble()));
      on.message(Swell.class, swell -> update(new Text("x".repeat(swell.characters()))));
    }
  }

  /**
   * Returns the options: short limits for trouble that consists in being late, and long ones for
   * any other, which must not be late on a slow machine.
   */
  private static ActorOptions options(Trouble trouble) {
    ActorOptions options = new ActorOptions(OPTIONS);
    return switch (trouble) {
      case START_HANGS -> options.startTimeout(SHORT);
      case NEVER_DONE -> options.turnTimeout(SHORT);
      case RETURNS_LATE -> options.turnTimeout(SHORT).zone("watched");
      default -> options;
    };
  }

  private List<Failure> failures(String path) {
    return await(callboard.admin().failures(path));
  }

  private void isTold(String path, Trouble trouble) {
    Eventually.assertThat(
        () ->
            assertThat(failures(path))
                .anySatisfy(
                    failure -> {
                      assertThat(failure.kind()).isEqualTo(trouble.kind);
                      assertThat(failure.cause()).contains(trouble.cause);
                      assertThat(failure.decision()).isEqualTo(Directive.RESTART);
                      assertThat(failure.delay()).isBetween(Duration.ZERO, Duration.ofMillis(20));
                      assertThat(failure.node()).isEqualTo("one");
                      assertThat(failure.times()).isEqualTo(1);
                    }));
  }

  private void isBlocked(String path) {
    Eventually.assertThat(
        () ->
            assertThat(failures(path))
                .singleElement()
                .satisfies(
                    failure -> {
                      assertThat(failure.kind()).isEqualTo(Kind.BLOCKED);
                      assertThat(failure.stack()).contains("FailureKindsTest.hold");
                      assertThat(failure.cause()).contains("of zone watched");
                      assertThat(failure.decision()).isNull();
                    }));
    free.countDown();
  }

  @ParameterizedTest
  @EnumSource(Trouble.class)
  void aVolatileActorTellsIt(Trouble trouble) throws Exception {
    Future<ActorRef<Make>> spawned =
        callboard.spawn("/v", () -> new Volatile(trouble), options(trouble));
    if (trouble != Trouble.START && trouble != Trouble.START_HANGS) {
      await(await(spawned).tell(new Make(trouble)));
    }
    if (trouble == Trouble.RETURNS_LATE) {
      isBlocked("/v");
    }
    isTold("/v", trouble);
    if (trouble == Trouble.THROW) {
      assertThat(failures("/v").get(0).stack()).contains("FailureKindsTest.make");
    }
    Eventually.assertThat(() -> assertThat(starts).hasValueGreaterThan(1));
  }

  @ParameterizedTest
  @EnumSource(Trouble.class)
  void aDurableActorTellsItAndTheStoreKeepsIt(Trouble trouble) throws Exception {
    Future<ActorRef<Order>> spawned =
        callboard.spawn("/d", () -> new Durable(trouble), options(trouble));
    if (trouble != Trouble.START && trouble != Trouble.START_HANGS) {
      await(await(spawned).tell(new Make(trouble)));
    }
    if (trouble == Trouble.RETURNS_LATE) {
      isBlocked("/d");
    }
    isTold("/d", trouble);
    Eventually.assertThat(
        () ->
            assertThat(stores.get("one").failures(ActorPath.of("/d")).result())
                .as("stored")
                .extracting(Failure::kind)
                .contains(trouble.kind));
  }

  @Test
  void aMessageThatIsParkedIsToldAfterItsAttempts() throws Exception {
    ActorRef<Order> actor = await(callboard.spawn("/d", () -> new Durable(Trouble.THROW), OPTIONS));
    await(actor.tell(new Make(Trouble.THROW)));
    Eventually.assertThat(
        () ->
            assertThat(failures("/d"))
                .extracting(Failure::kind)
                .containsExactly(Kind.THROWN, Kind.THROWN, Kind.POISONED));
    Eventually.assertThat(
        () ->
            assertThat(failures("/d"))
                .extracting(Failure::decision)
                .containsExactly(Directive.RESTART, Directive.RESTART, null));
  }

  @Test
  void aTurnThatCannotBeCommittedIsTold() throws Exception {
    ActorRef<Order> actor = await(callboard.spawn("/d", () -> new Durable(Trouble.THROW), OPTIONS));
    await(actor.tell(new Swell(1_000_000)));
    Eventually.assertThat(
        () ->
            assertThat(failures("/d"))
                .extracting(Failure::kind)
                .containsExactly(Kind.COMMIT, Kind.COMMIT, Kind.POISONED));
    assertThat(failures("/d").get(0).cause()).contains("/d");
  }

  @Test
  void interruptionsInARowAreOne() throws Exception {
    interruptions.set(4);
    var spawned = callboard.spawn("/d", () -> new Durable(Trouble.THROW), OPTIONS);
    Eventually.assertThat(() -> assertThat(failures("/d")).isNotEmpty());
    Eventually.assertThat(
        () ->
            assertThat(failures("/d"))
                .singleElement()
                .satisfies(
                    failure -> {
                      assertThat(failure.kind()).isEqualTo(Kind.INTERRUPTED);
                      assertThat(failure.times()).isEqualTo(4);
                      assertThat(failure.cause()).contains("no store");
                    }));
    assertThat(spawned.isComplete()).isTrue();
  }

  @Test
  void aTakeoverFromALostNodeIsToldAndGoesOnWithTheHistory() throws Exception {
    ActorRef<Order> actor = await(callboard.spawn("/d", () -> new Durable(Trouble.THROW), OPTIONS));
    await(actor.tell(new Make(Trouble.THROW)));
    Eventually.assertThat(
        () ->
            assertThat(stores.get("one").failures(ActorPath.of("/d")).result())
                .as("stored with what was decided, which comes after the failure")
                .extracting(Failure::decision)
                .containsExactly(Directive.RESTART, Directive.RESTART, null));
    List<Failure> before = failures("/d");
    Callboard first = callboard;
    callboard = node("two");
    await(callboard.spawn("/d", () -> new Durable(Trouble.THROW), OPTIONS));
    assertThat(failures("/d")).as("from the store").hasSize(3);
    await(stores.get("one").expire());
    Eventually.assertThat(() -> assertThat(failures("/d")).hasSize(4));
    List<Failure> after = failures("/d");
    assertThat(after.subList(0, 3)).isEqualTo(before);
    assertThat(after.get(3).kind()).isEqualTo(Kind.NODE_LOST);
    assertThat(after.get(3).node()).isEqualTo("one");
    await(actor.tell(new Make(Trouble.THROW)));
    Eventually.assertThat(
        () ->
            assertThat(failures("/d"))
                .extracting(failure -> failure.kind() + " " + failure.node())
                .containsExactly(
                    "THROWN one",
                    "THROWN one",
                    "POISONED one",
                    "NODE_LOST one",
                    "THROWN two",
                    "THROWN two",
                    "POISONED two"));
    callboard = first;
    Eventually.assertThat(() -> assertThat(failures("/d")).as("seen by the other one").hasSize(7));
  }

  @Test
  void theHistoryOutlivesANodeThatStops() throws Exception {
    ActorRef<Order> actor = await(callboard.spawn("/d", () -> new Durable(Trouble.THROW), OPTIONS));
    await(actor.tell(new Make(Trouble.THROW)));
    Eventually.assertThat(
        () -> {
          assertThat(failures("/d")).hasSize(3);
          assertThat(failures("/d").get(1).decision()).as("told after the failure").isNotNull();
        });
    Eventually.assertThat(
        () ->
            assertThat(stores.get("one").failures(ActorPath.of("/d")).result())
                .isEqualTo(failures("/d")));
    List<Failure> before = failures("/d");
    await(callboard.close());
    callboard = node("one");
    assertThat(failures("/d")).as("of one that does not run").isEqualTo(before);
    await(callboard.spawn("/d", () -> new Durable(Trouble.THROW), OPTIONS));
    assertThat(failures("/d")).as("it was given back").isEqualTo(before);
  }

  @Test
  void theLastTwentyAreRememberedAndOfThoseFiveWithTheirStacks() throws Exception {
    ActorOptions often =
        new ActorOptions(OPTIONS)
            .supervision(OPTIONS.supervision().intensity(100, Duration.ofMinutes(1)));
    ActorRef<Make> actor = await(callboard.spawn("/v", () -> new Volatile(Trouble.THROW), often));
    for (int i = 0; i < 30; i++) {
      await(actor.tell(new Make(Trouble.THROW)));
    }
    Eventually.assertThat(
        () -> {
          assertThat(only().failures()).isEqualTo(30);
          List<Failure> failures = failures("/v");
          assertThat(failures).hasSize(20);
          assertThat(failures.get(19).restarts()).isEqualTo(29);
        });
    assertThat(failures("/v").stream().filter(failure -> failure.stack() != null)).hasSize(5);
  }

  private ActorStatus only() {
    return callboard.admin().running().result().get(0);
  }

  @Test
  void ofWhatNeverWasThereIsNothingToTell() {
    assertThat(failures("/nobody")).isEmpty();
    assertThat(callboard.admin().failures("no path").cause())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
