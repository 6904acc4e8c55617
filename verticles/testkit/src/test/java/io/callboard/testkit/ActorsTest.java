package io.callboard.testkit;

import static io.callboard.testkit.Futures.await;
import static io.callboard.testkit.SampleActors.answering;
import static io.callboard.testkit.SampleActors.idle;
import static io.callboard.testkit.Stage.QUICK;
import static io.callboard.testkit.Stage.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.testkit.SampleActors.Add;
import io.callboard.testkit.SampleActors.Counter;
import io.callboard.testkit.SampleActors.Ledger;
import io.callboard.testkit.SampleActors.Total;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Test of the guarantees of the public API, on one node with a store in memory. */
@ExtendWith(CallboardExtension.class)
class ActorsTest {
  private Callboard callboard;

  @BeforeEach
  void start(Callboard given) {
    callboard = given;
  }

  // Protocols of the tests.

  sealed interface Two {
    record One() implements Two {}

    record Other() implements Two {}
  }

  static final class Incomplete extends Actor<Two> {
    @Override
    protected void protocol(Protocol<Two> on) {
      on.message(Two.One.class, one -> {});
    }
  }

  static final class IncompleteDurable extends DurableStateActor<Two, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Two> on) {
      on.message(Two.One.class, one -> {});
    }
  }

  @Test
  void aDurableActorCountsEveryMessageOnce() throws Exception {
    ActorRef<Add> counter = await(callboard.spawn("/counter", Counter::new));
    List<Future<Void>> told = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      told.add(counter.tell(new Add(1)));
    }
    await(Future.all(told));
    assertThat(await(counter.ask(new Add(0), Total.class))).isEqualTo(new Total(2_000));
    assertThat(callboard.admin().counts().commits()).as("packed").isLessThan(2_000);
  }

  @Test
  void aFailingMessageIsToldRetriedAndParkedAndTheOthersGoOn() throws Exception {
    ActorRef<Add> counter =
        await(callboard.spawn("/counter", Counter::new, new ActorOptions(QUICK).attempts(3)));
    await(counter.tell(new Add(1)));
    Future<Total> bad = counter.ask(new Add(-1), Total.class);
    Future<Total> good = counter.ask(new Add(2), Total.class);
    assertThatThrownBy(() -> await(bad))
        .hasMessageContaining("/counter failed")
        .hasMessageContaining("negative");
    assertCode(() -> await(bad), Code.HANDLER_FAILED);
    assertThat(await(good)).isEqualTo(new Total(3));
    assertThat(await(callboard.admin().parked(10)))
        .singleElement()
        .satisfies(
            parked ->
                assertThat(new String(parked.bytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .contains("\"attempts\":3", "negative", "\"amount\":-1"));
    assertThat(callboard.admin().counts().parked()).isEqualTo(1);
    ActorStatus status = await(callboard.admin().running()).get(0);
    assertThat(status.restarts()).isEqualTo(3);
    assertThat(status.lastFailure()).contains("negative");
  }

  @Test
  void aPersistentActorReplaysItsEventsAcrossSnapshots() throws Exception {
    ActorOptions options = new ActorOptions().snapshots(SnapshotPolicy.every(7));
    ActorRef<Add> ledger = await(callboard.spawn("/ledger", Ledger::new, options));
    for (int i = 1; i <= 30; i++) {
      assertThat(await(ledger.ask(new Add(i), Total.class)).value()).isEqualTo(i * (i + 1) / 2);
    }
    await(callboard.stop("/ledger"));
    ActorRef<Add> again = await(callboard.spawn("/ledger", Ledger::new, options));
    assertThat(await(again.ask(new Add(0), Total.class))).isEqualTo(new Total(465));
  }

  @Test
  void aHostedActorIsStartedByItsMail() throws Exception {
    await(callboard.host("/counters", Counter::new, new ActorOptions()));
    ActorRef<Add> one = callboard.durableRef("/counters/one", Add.class);
    assertThat(await(one.ask(new Add(5), Total.class))).isEqualTo(new Total(5));
    assertThat(await(callboard.admin().running()))
        .extracting(status -> status.path().toString())
        .containsExactly("/counters/one");
  }

  @Test
  void mailToAnActorThatIsNotThereWaitsForIt() throws Exception {
    await(callboard.durableRef("/later", Add.class).tell(new Add(7)));
    ActorRef<Add> later = await(callboard.spawn("/later", Counter::new));
    assertThat(await(later.ask(new Add(0), Total.class))).isEqualTo(new Total(7));
  }

  @Test
  void aTypeWithoutAHandlerIsRefusedWhenItIsHosted() {
    assertThatThrownBy(
            () -> await(callboard.host("/incomplete", IncompleteDurable::new, new ActorOptions())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "IncompleteDurable does not handle [Other] of its protocol Two: declare a handler for each");
  }

  @Test
  void aTypeWithoutAHandlerFailsTheStartByItsName() {
    assertThatThrownBy(() -> await(callboard.spawn("/incomplete", Incomplete::new, QUICK)))
        .hasMessageContaining("Incomplete does not handle [Other] of its protocol Two");
  }

  @Test
  void anUnknownZoneIsRefusedWithThoseThereAre() {
    ActorOptions options = new ActorOptions().zone("nowhere");
    assertThatThrownBy(() -> await(callboard.spawn("/c", Counter::new, options)))
        .hasMessageContaining("no scheduling zone \"nowhere\"")
        .hasMessageContaining(
            "there are blocking, builders, default, event-loop, jobs, steps, supervision");
  }

  @Test
  void aPathIsTakenOnce() throws Exception {
    await(callboard.spawn("/counter", Counter::new));
    assertCode(() -> await(callboard.spawn("/counter", Counter::new)), Code.PATH_TAKEN);
  }

  @Test
  void plainCodeReachesAnActorOverTheEventBus() throws Exception {
    await(callboard.spawn("/counter", Counter::new));
    JsonObject answer =
        (JsonObject)
            await(
                    callboard
                        .vertx()
                        .eventBus()
                        .request("callboard:/counter", new JsonObject().put("amount", 4)))
                .body();
    assertThat(answer).isEqualTo(new JsonObject().put("value", 4));
    assertThatThrownBy(
            () ->
                await(
                    callboard
                        .vertx()
                        .eventBus()
                        .request("callboard:/counter", new JsonObject().put("amount", "x"))))
        .isInstanceOf(ReplyException.class)
        .hasMessageContaining("message \"add\" of Add cannot be read");
  }

  @Test
  void anOversizedMessageIsRefusedBeforeItIsSent() throws Exception {
    record Blob(String text) {}
    ActorRef<Blob> ref = callboard.durableRef("/blob", Blob.class);
    assertCode(() -> await(ref.tell(new Blob("x".repeat(16 << 20)))), Code.PAYLOAD_TOO_LARGE);
    assertThat(await(callboard.admin().stored("/blob"))).isEmpty();
  }

  // Volatile actors.

  record Go(int n) {}

  /** Actor that handles asynchronously, and records when each handling began and ended. */
  static final class Slow extends Actor<Go> {
    final List<String> seen;
    final List<Promise<Void>> open;

    Slow(List<String> seen, List<Promise<Void>> open) {
      this.seen = seen;
      this.open = open;
    }

    @Override
    protected void protocol(Protocol<Go> on) {
      on.async(
          Go.class,
          go -> {
            seen.add("begin " + go.n());
            Promise<Void> promise = Promise.promise();
            open.add(promise);
            return promise.future().onComplete(done -> seen.add("end " + go.n()));
          });
    }
  }

  @Test
  void anActorHandlesOneMessageAtATimeAlsoAcrossAsynchronousSteps() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    List<Promise<Void>> open = new CopyOnWriteArrayList<>();
    ActorRef<Go> slow = await(callboard.spawn("/slow", () -> new Slow(seen, open)));
    for (int i = 1; i <= 3; i++) {
      await(slow.tell(new Go(i)));
    }
    for (int i = 1; i <= 3; i++) {
      int n = i;
      Eventually.assertThat(() -> assertThat(open).hasSize(n));
      open.get(i - 1).complete();
    }
    Eventually.assertThat(() -> assertThat(seen).hasSize(6));
    assertThat(seen).containsExactly("begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3");
  }

  static final class Fragile extends Actor<Go> {
    private final List<Integer> handled;

    Fragile(List<Integer> handled) {
      this.handled = handled;
    }

    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(
          Go.class,
          go -> {
            if (go.n() % 10 == 0) {
              throw new IllegalStateException("ten");
            }
            handled.add(go.n());
          });
    }
  }

  @Test
  void mailWaitsInOrderWhileAVolatileActorRestarts() throws Exception {
    List<Integer> handled = new CopyOnWriteArrayList<>();
    ActorRef<Go> fragile = await(callboard.spawn("/fragile", () -> new Fragile(handled), QUICK));
    for (int i = 1; i < 50; i++) {
      await(fragile.tell(new Go(i)));
    }
    Eventually.assertThat(() -> assertThat(handled).hasSize(45));
    assertThat(handled).isSorted().doesNotContain(10, 20, 30, 40);
    assertThat(await(callboard.admin().running()).get(0).restarts()).isEqualTo(4);
  }

  @Test
  void aFullMailboxIsToldToTheSender() throws Exception {
    List<Promise<Void>> open = new CopyOnWriteArrayList<>();
    ActorRef<Go> slow =
        await(
            callboard.spawn(
                "/slow",
                () -> new Slow(new CopyOnWriteArrayList<>(), open),
                new ActorOptions().mailboxLimit(3)));
    await(slow.tell(new Go(0)));
    Eventually.assertThat(() -> assertThat(open).hasSize(1));
    for (int i = 1; i <= 3; i++) {
      await(slow.tell(new Go(i)));
    }
    assertCode(() -> await(slow.tell(new Go(4))), Code.MAILBOX_FULL);
    open.get(0).complete();
    Eventually.assertThat(() -> assertThat(open).hasSize(2));
    await(slow.tell(new Go(5)));
  }

  @Test
  void anAskWithoutAnAnswerTimesOutAndOneToNobodyFailsAtOnce() throws Exception {
    ActorRef<Go> silent = await(callboard.spawn("/silent", idle(Go.class)));
    assertCode(
        () -> await(silent.ask(new Go(1), Total.class, Duration.ofMillis(50))), Code.TIMEOUT);
    ActorRef<Go> nobody = callboard.ref("/nobody", Go.class);
    assertCode(() -> await(nobody.ask(new Go(1), Total.class)), Code.NO_SUCH_ACTOR);
    assertCode(() -> await(nobody.tell(new Go(1))), Code.NO_SUCH_ACTOR);
  }

  static final class NeverStarts extends Actor<Go> {
    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(Go.class, go -> {});
    }

    @Override
    protected Future<?> started() {
      return Promise.promise().future();
    }
  }

  @Test
  void aStartThatNeverEndsFails() {
    ActorOptions options = new ActorOptions(QUICK).startTimeout(Duration.ofSeconds(1));
    assertThatThrownBy(() -> await(callboard.spawn("/never", NeverStarts::new, options)))
        .hasMessageContaining("did not end within 1000 ms");
  }

  static final class Flaky extends Actor<Go> {
    static final AtomicInteger STARTS = new AtomicInteger();

    @Override
    protected void protocol(Protocol<Go> on) {
      on.message(Go.class, go -> reply(new Total(go.n())));
    }

    @Override
    protected Future<?> started() {
      return STARTS.incrementAndGet() < 4
          ? Future.failedFuture("not yet")
          : Future.succeededFuture();
    }
  }

  @Test
  void aStartThatFailsIsTriedAgainAndMailWaits() throws Exception {
    Future<ActorRef<Go>> spawned = callboard.spawn("/flaky", Flaky::new, QUICK);
    assertCode(() -> await(spawned), Code.START_FAILED);
    ActorRef<Go> flaky = callboard.ref("/flaky", Go.class);
    assertThat(await(flaky.ask(new Go(7), Total.class))).isEqualTo(new Total(7));
  }

  @Test
  void tooManyFailuresPutAnActorToRestUntilItIsResumed() throws Exception {
    ActorOptions options = new ActorOptions(QUICK);
    options.supervision(options.supervision().intensity(2, Duration.ofMinutes(1)));
    List<Integer> handled = new CopyOnWriteArrayList<>();
    ActorRef<Go> fragile = await(callboard.spawn("/fragile", () -> new Fragile(handled), options));
    for (int n : new int[] {10, 20, 30, 31}) {
      await(fragile.tell(new Go(n)));
    }
    Eventually.assertThat(
        () ->
            assertThat(callboard.admin().running().result().get(0).state())
                .isEqualTo(ActorStatus.State.FAILED));
    assertThat(handled).isEmpty();
    await(callboard.admin().resume("/fragile"));
    Eventually.assertThat(() -> assertThat(handled).containsExactly(31));
  }

  record Thread1(String name) {}

  @Test
  void anActorRunsInItsZone() throws Exception {
    ActorRef<Go> blocking =
        await(
            callboard.spawn(
                "/where",
                answering(Go.class, go -> new Thread1(Thread.currentThread().getName())),
                new ActorOptions().zone("blocking")));
    assertThat(await(blocking.ask(new Go(1), Thread1.class)).name())
        .startsWith("callboard-test-blocking-");
    assertThat(callboard.admin().zones())
        .filteredOn(zone -> zone.name().equals("blocking"))
        .singleElement()
        .satisfies(zone -> assertThat(zone.actors()).isEqualTo(1));
  }

  @Test
  void anActorDeployedLikeAVerticleSpawnsItself() throws Exception {
    String id = await(callboard.vertx().deployVerticle(new Counter()));
    ActorRef<Add> counter = callboard.durableRef("/counter", Add.class);
    assertThat(await(counter.ask(new Add(1), Total.class))).isEqualTo(new Total(1));
    await(callboard.vertx().undeploy(id));
    assertThat(await(callboard.admin().running())).isEmpty();
  }
}
