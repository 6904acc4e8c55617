package io.callboard.workflows.worker;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.admin.ZoneStatus;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.testkit.Waits;
import io.callboard.workflows.protocol.DeskCommand;
import io.callboard.workflows.protocol.StepOutcome;
import io.callboard.workflows.protocol.StepReports;
import io.callboard.workflows.protocol.StepRequest;
import io.callboard.workflows.protocol.StepRunKey;
import io.callboard.workflows.protocol.WorkerCommand;
import io.callboard.workflows.protocol.WorkerId;
import io.callboard.workflows.protocol.WorkerNews;
import io.callboard.zone.ZoneOptions;
import io.callboard.zone.ZoneOptions.WhenFull;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Attempts that get no thread of a real zone: their runs are given back, here to a played desk. */
class WorkerActorTest {
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final String TYPE = "handler:scan@1";

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final List<WorkerNews> news = new CopyOnWriteArrayList<>();
  private final List<String> called = new CopyOnWriteArrayList<>();
  private final Map<StepRunKey, StepOutcome> done = new ConcurrentHashMap<>();
  private final CountDownLatch given = new CountDownLatch(1);
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch second = new CountDownLatch(1);
  private Callboard node;
  private ActorRef<WorkerCommand> worker;
  private volatile WorkerId id;
  private volatile AttemptCode code = attempt -> Future.succeededFuture();
  private volatile Future<Boolean> open = Future.succeededFuture(true);
  private long number;

  /** Holds a thread of its zone. */
  record Hold(CountDownLatch until, CountDownLatch begun) {
    Hold(CountDownLatch until) {
      this(until, new CountDownLatch(1));
    }
  }

  private static final class Holder extends Actor<Hold> {
    @Override
    protected void protocol(Protocol<Hold> on) {
      on.message(Hold.class, Holder::hold);
    }

    private static void hold(Hold hold) {
      hold.begun().countDown();
      awaits(hold.until());
    }
  }

  private static void awaits(CountDownLatch until) {
    Waits.opened(until);
  }

  /** Hears what the worker says. */
  private final class Desk extends Actor<DeskCommand> {
    @Override
    protected void protocol(Protocol<DeskCommand> on) {
      on.others(
          command -> {
            if (command instanceof DeskCommand.News of) {
              id = of.worker();
              news.addAll(of.news());
            }
          });
    }
  }

  /** Takes the ends of runs. */
  private final class Reports implements StepReports {
    @Override
    public void given(StepRunKey run, WorkerId worker) {
      given.countDown();
      awaits(first);
    }

    @Override
    public void accepted(StepRunKey run, String at, String by) {}

    @Override
    public Future<Boolean> isOpen(StepRunKey run) {
      return open;
    }

    @Override
    public Future<Void> done(StepRunKey run, String at, String by, StepOutcome outcome) {
      done.put(run, outcome);
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> lost(StepRunKey run, String at, String cause) {
      return Future.succeededFuture();
    }
  }

  @BeforeEach
  void open() {
    node =
        nodes.open(
            "one",
            options ->
                options
                    .zone("slow", ZoneOptions.fixed(1))
                    .zone("tiny", ZoneOptions.fixed(1).queue(1).whenFull(WhenFull.REJECT)));
    var unused = await(node.spawn(DeskActor.PATH, Desk::new, new ActorOptions()));
  }

  @AfterEach
  void release() {
    first.countDown();
    second.countDown();
  }

  private void works(String zone, Duration threadWithin) {
    works(zone, threadWithin, new ActorOptions());
  }

  private void works(String zone, Duration threadWithin, ActorOptions options) {
    StepCodes codes = new StepCodes();
    codes.handler(
        "scan@1",
        zone,
        attempt -> {
          called.add(attempt.request().instance());
          return code.run(attempt);
        });
    LocalWorker local = new LocalWorker(node, codes, new Reports(), 2, threadWithin);
    local.slots(zone, 4);
    worker =
        await(node.spawn(WorkerActor.path(node.node()), () -> new WorkerActor(local), options));
    Eventually.assertThat(() -> assertThat(id).isNotNull());
  }

  private static StepRequest request(String instance) {
    return new StepRequest(
        instance,
        "d",
        "s",
        1,
        1,
        TYPE,
        5,
        1,
        null,
        Instant.EPOCH,
        "one",
        JsonNodeFactory.instance.objectNode(),
        JsonNodeFactory.instance.objectNode(),
        instance + "/s",
        null,
        null,
        null,
        null);
  }

  private void orders(WorkerCommand.Order order) {
    await(worker.tell(WorkerCommand.Orders.to(id, 1, List.of(order))));
  }

  private void assign(String instance, String zone) {
    orders(new WorkerCommand.Assign(++number, request(instance), zone));
  }

  private void holds(String zone, String name, CountDownLatch until) {
    ActorRef<Hold> holder =
        await(node.spawn("/" + name, Holder::new, new ActorOptions().zone(zone).onBus(false)));
    Hold hold = new Hold(until);
    await(holder.tell(hold));
    Eventually.assertThat(() -> assertThat(hold.begun().getCount()).isZero());
  }

  private int queued(String name) {
    return node.admin().zones().stream()
        .filter(zone -> zone.name().equals(name))
        .mapToInt(ZoneStatus::queued)
        .sum();
  }

  private int busy(String name) {
    return node.admin().zones().stream()
        .filter(zone -> zone.name().equals(name))
        .mapToInt(ZoneStatus::busy)
        .sum();
  }

  private void holdsTheOnlyThread(String zone) {
    ActorRef<Hold> later = // it starts while there is a thread, and is told when there is none
        await(node.spawn("/second", Holder::new, new ActorOptions().zone(zone).onBus(false)));
    holds(zone, "first", first);
    Eventually.assertThat(() -> assertThat(busy(zone)).isEqualTo(1));
    assertThat(queued(zone)).isZero();
    assign("a", zone);
    Eventually.assertThat(() -> assertThat(queued(zone)).isEqualTo(1));
    await(later.tell(new Hold(second)));
    Eventually.assertThat(() -> assertThat(queued(zone)).isEqualTo(2));
  }

  private void isGivenBack(String instance, long assignment) {
    WorkerNews back =
        new WorkerNews.Revoked(
            request(instance).key(), assignment, WorkerNews.Revocation.NEVER_BEGAN, null);
    Eventually.assertThat(() -> assertThat(news).contains(back));
  }

  @Test
  void anAttemptThatGetsNoThreadForItsStartIsGivenBackAndItsZoneRests() {
    works("slow", SHORT);
    holdsTheOnlyThread("slow");
    isGivenBack("a", 1);
    Eventually.assertThat(
        () ->
            assertThat(news)
                .anySatisfy(
                    each ->
                        assertThat(each)
                            .isInstanceOfSatisfying(
                                WorkerNews.Hello.class,
                                hello ->
                                    assertThat(String.valueOf(hello.zones()))
                                        .contains(
                                            "the zone slow had no thread for it within 2 s"))));
    first.countDown();
    second.countDown();
    Eventually.assertThat(() -> assertThat(queued("slow") + busy("slow")).isZero());
    assertThat(called).isEmpty();
    assertThat(done).isEmpty();
  }

  /** As before, but what starts behind them keeps the zone full, so that it refuses the message. */
  @Test
  void anAttemptWhoseZoneRefusesItsMessageIsGivenBack() {
    works("tiny", LocalWorker.NO_THREAD);
    holdsTheOnlyThread("tiny");
    var unused = node.spawn("/third", Holder::new, new ActorOptions().zone("tiny").onBus(false));
    Eventually.assertThat(() -> assertThat(queued("tiny")).isEqualTo(3));
    assertThat(node.admin().isZoneFull("tiny")).isTrue();
    first.countDown();
    isGivenBack("a", 1);
    assertThat(called).isEmpty();
    assertThat(done).isEmpty();
  }

  @Test
  void aRunThatIsCancelledBeforeItBeginsHasEndedAtOnce() {
    works("slow", LocalWorker.NO_THREAD);
    holdsTheOnlyThread("slow");
    StepRunKey key = request("a").key();
    orders(new WorkerCommand.End(1, key));
    Eventually.assertThat(
        () -> assertThat(done).containsEntry(key, StepOutcome.cancelled("it had not begun")));
    first.countDown();
    second.countDown();
    Eventually.assertThat(() -> assertThat(queued("slow") + busy("slow")).isZero());
    assertThat(called).isEmpty();
  }

  /** The message of its end finds no room: the worker learns it at its next tick. */
  @Test
  void aStepThatEndsWhileTheMailboxOfTheWorkerIsFullHasEnded() {
    Promise<JsonNode> end = Promise.promise();
    code = attempt -> end.future();
    works("slow", LocalWorker.NO_THREAD, new ActorOptions().mailboxLimit(1));
    assign("a", "slow");
    Eventually.assertThat(() -> assertThat(called).containsExactly("a"));
    StepRunKey key = request("a").key();
    await(worker.tell(new WorkerCommand.Given(id, List.of(key))));
    Waits.opened(given);
    await(worker.tell(new WorkerCommand.Given(id, List.of())));
    assertThat(worker.tell(new WorkerCommand.Given(id, List.of())).failed())
        .as("its mailbox is full")
        .isTrue();
    end.complete(JsonNodeFactory.instance.nullNode());
    Eventually.assertThat(() -> assertThat(queued("slow") + busy("slow")).isZero());
    first.countDown();
    Eventually.assertThat(() -> assertThat(done).containsKey(key));
  }

  /** Its runs are given to others as soon as the desk hears of its next life. */
  @Test
  void theNextLifeOfAWorkerIsNotHeardOfBeforeTheCodeOfTheLastHasEnded() {
    Promise<JsonNode> end = Promise.promise();
    Promise<Void> asked = Promise.promise();
    code =
        attempt -> {
          attempt.cancelled().onComplete(asked);
          return end.future();
        };
    works("slow", LocalWorker.NO_THREAD);
    WorkerId before = id;
    assign("a", "slow");
    Eventually.assertThat(() -> assertThat(called).containsExactly("a"));
    await(node.admin().restart(WorkerActor.path(node.node())));
    await(asked.future());
    await(node.vertx().timer(500, TimeUnit.MILLISECONDS)); // it would have been heard of
    assertThat(id).isEqualTo(before);
    end.complete();
    Eventually.assertThat(() -> assertThat(id.life()).isGreaterThan(before.life()));
  }

  /** Whoever ends the actor of an attempt: its step may be run again as soon as it is over. */
  @Test
  void anAttemptWhoseActorIsStoppedIsOverWhenItsCodeHasEnded() {
    Promise<JsonNode> end = Promise.promise();
    Promise<Void> asked = Promise.promise();
    code =
        attempt -> {
          attempt.cancelled().onComplete(asked);
          return end.future();
        };
    works("slow", LocalWorker.NO_THREAD);
    assign("a", "slow");
    Eventually.assertThat(() -> assertThat(called).containsExactly("a"));
    await(node.stop(WorkerActor.path(node.node()) + "/1"));
    await(asked.future());
    await(node.vertx().timer(500, TimeUnit.MILLISECONDS)); // it would have been reported
    assertThat(done).isEmpty();
    end.complete();
    Eventually.assertThat(() -> assertThat(done).containsKey(request("a").key()));
  }

  @Test
  void aCallbackThatBlocksDoesNotKeepTheWorkerFromTheOtherRuns() {
    code =
        attempt -> {
          CountDownLatch until =
              attempt.request().instance().equals("a") ? first : new CountDownLatch(0);
          Promise<JsonNode> end = Promise.promise();
          attempt
              .cancelled()
              .onComplete(asked -> awaits(until))
              .onComplete(asked -> end.complete());
          return end.future();
        };
    works("slow", LocalWorker.NO_THREAD);
    assign("a", "slow");
    assign("b", "slow");
    Eventually.assertThat(() -> assertThat(called).containsExactly("a", "b"));
    orders(new WorkerCommand.End(1, request("a").key()));
    orders(new WorkerCommand.End(2, request("b").key()));
    Eventually.assertThat(() -> assertThat(done).containsOnlyKeys(request("b").key()));
    first.countDown();
    Eventually.assertThat(() -> assertThat(done).containsKey(request("a").key()));
  }

  @Test
  void aLargeOutputIsStoredWhileAnotherHoldsTheThreadOfItsZone() {
    code =
        attempt -> {
          awaits(first);
          return Future.succeededFuture(JsonNodeFactory.instance.textNode("x".repeat(100_000)));
        };
    works("slow", LocalWorker.NO_THREAD);
    ActorRef<Hold> next =
        await(node.spawn("/next", Holder::new, new ActorOptions().zone("slow").onBus(false)));
    assign("a", "slow");
    Eventually.assertThat(() -> assertThat(called).containsExactly("a"));
    await(next.tell(new Hold(second))); // gets the thread as soon as the handler has returned
    Eventually.assertThat(() -> assertThat(queued("slow")).isEqualTo(1));
    first.countDown();
    Eventually.assertThat(() -> assertThat(done).containsKey(request("a").key()));
    assertThat(second.getCount()).as("the thread is held").isEqualTo(1);
    StepOutcome outcome = done.get(request("a").key());
    assertThat(outcome.kind()).isEqualTo(StepOutcome.Kind.SUCCEEDED);
    assertThat(outcome.output()).as("it is stored apart").isNull();
  }

  @Test
  void theInstanceOfARunThatWasRequestedAgainIsAskedBeforeItsHandlerIsCalled() {
    works("slow", SHORT);
    open = Future.succeededFuture(false);
    orders(new WorkerCommand.Assign(++number, request("settled").sent(1, true, null), "slow"));
    Eventually.assertThat(
        () -> assertThat(news).contains(new WorkerNews.Settled(request("settled").key())));
    open = Future.succeededFuture(true);
    orders(new WorkerCommand.Assign(++number, request("open").sent(1, true, null), "slow"));
    Eventually.assertThat(() -> assertThat(done).containsKey(request("open").key()));
    assertThat(called).containsExactly("open");
  }
}
