package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.RunPlace;
import io.callboard.workflows.internal.protocol.StepOutcome;
import io.callboard.workflows.internal.protocol.StepOutcome.Kind;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.internal.protocol.WorkerId;
import io.callboard.workflows.internal.worker.DeskActor;
import io.callboard.workflows.internal.worker.HttpStepOptions;
import io.callboard.workflows.internal.worker.WorkerActor;
import io.callboard.workflows.model.PermanentStepException;
import io.callboard.workflows.model.QueueView;
import io.callboard.workflows.model.WorkerView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real desk, worker and attempts on one node; the instances are played. */
class WorkersTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final RecordedReports reports = new RecordedReports();
  private final Map<String, Promise<JsonNode>> held = new ConcurrentHashMap<>();
  private final List<StepContext> begun = new CopyOnWriteArrayList<>();
  private Callboard callboard;
  private Workers workers;

  @BeforeEach
  void start() {
    callboard = nodes.open("one");
    Grid grid = await(Grid.start(callboard, GridOptions.DEFAULT));
    workers =
        new Workers(
            callboard,
            reports,
            2,
            HttpStepOptions.DEFAULT,
            () -> Future.succeededFuture(List.of()));
    await(workers.open(grid));
    workers.handle(
        "echo@1",
        step ->
            Future.succeededFuture(
                JsonNodeFactory.instance
                    .objectNode()
                    .put("key", step.key())
                    .set("in", step.input())));
    workers.handle(
        "hold@1",
        step -> {
          begun.add(step);
          return held.computeIfAbsent(step.instance(), id -> Promise.promise()).future();
        });
  }

  @AfterEach
  void stop() {
    await(workers.close());
  }

  private void request(StepRequest request) {
    assertThat(await(workers.dispatch().request(request))).isInstanceOf(RequestAnswer.Queued.class);
  }

  private StepOutcome outcome(StepRequest request) {
    Eventually.isTrue(request.key() + " is done", () -> reports.done.containsKey(request.key()));
    return reports.done.get(request.key());
  }

  private StepOutcome runs(StepRequest request) {
    request(request);
    return outcome(request);
  }

  private StepRequest hold(String instance) {
    StepRequest request = WorkRequests.of(instance, "handler:hold");
    request(request);
    Eventually.isTrue(
        "it runs", () -> begun.stream().anyMatch(step -> step.instance().equals(instance)));
    return request;
  }

  private void release(String instance) {
    held.get(instance).complete(JsonNodeFactory.instance.textNode("released"));
  }

  private RunPlace place(String instance) {
    return await(workers.dispatch().places(instance)).get(0);
  }

  @Test
  void aHandlerRunsAStepAndItsOutputIsReported() {
    StepOutcome outcome = runs(WorkRequests.of("a", "handler:echo@1"));
    assertThat(outcome.kind()).isEqualTo(Kind.SUCCEEDED);
    assertThat(outcome.output()).hasToString("{\"key\":\"a/step\",\"in\":{\"in\":\"a\"}}");
  }

  /** The next desk learns it from that node, should this one end together with the worker. */
  @Test
  void theNodeOfAnInstanceIsToldWhichWorkerGetsARun() {
    StepRequest request = WorkRequests.of("a", "handler:echo@1").sent(1, false, null);
    StepOutcome unused = runs(request);
    Eventually.assertThat(
        () ->
            assertThat(reports.given.get(request.key()))
                .isNotNull()
                .extracting(WorkerId::boot)
                .isEqualTo(callboard.bootId()));
  }

  @Test
  void aFailureIsReportedWithItsCause() {
    workers.handle(
        "throws@1",
        step -> {
          throw new IllegalStateException("no ink");
        });
    workers.handle(
        "fails@1",
        step ->
            Future.failedFuture(new IllegalStateException("no ink", new RuntimeException("dry"))));
    workers.handle(
        "hopeless@1", step -> Future.failedFuture(new PermanentStepException("no such page")));
    StepOutcome thrown = runs(WorkRequests.of("a", "handler:throws@1"));
    assertThat(thrown.kind()).isEqualTo(Kind.FAILED);
    assertThat(thrown.error()).contains("no ink");
    assertThat(thrown.mayRetry()).isTrue();
    assertThat(runs(WorkRequests.of("b", "handler:fails@1")).error())
        .contains("no ink")
        .contains("because of java.lang.RuntimeException: dry");
    StepOutcome hopeless = runs(WorkRequests.of("c", "handler:hopeless@1"));
    assertThat(hopeless.error()).isEqualTo("no such page");
    assertThat(hopeless.mayRetry()).isFalse();
  }

  @Test
  void anOutputThatAHandlerMayNotReturnEndsItsStepAndFreesItsSlot() {
    workers.handle("nothing@1", step -> null);
    for (String id : List.of("a", "b", "c")) { // more than there are slots
      StepOutcome outcome = runs(WorkRequests.of(id, "handler:nothing@1"));
      assertThat(outcome.kind()).isEqualTo(Kind.FAILED);
      assertThat(outcome.error()).contains("its handler returned null, not a future");
    }
  }

  @Test
  void aStepOverItsTimeoutIsAskedToEndAndEndsAsTimeout() {
    workers.handle("listens@1", step -> step.cancelled().map(v -> step.with()));
    StepOutcome outcome =
        runs(
            WorkRequests.of(
                "a",
                1,
                "handler:listens@1",
                Duration.ofMillis(100),
                JsonNodeFactory.instance.objectNode()));
    assertThat(outcome.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(outcome.error()).contains("PT0.1S");
  }

  @Test
  void slotsAreNotExceededAndWaitingStepsSayWhy() {
    hold("a");
    hold("b");
    StepRequest third = WorkRequests.of("c", "handler:hold@1");
    request(third);
    assertThat(place("c").state()).isEqualTo(RunPlace.State.QUEUED);
    assertThat(place("c").why()).contains("all 2 slots of the workers that offer hold@1 are taken");
    assertThat(place("a").node()).isEqualTo("one");
    QueueView queue = queue("handler:hold@1");
    assertThat(queue.waiting()).isOne();
    assertThat(queue.oldest()).isNotNull();
    WorkerView worker = await(workers.ofCell()).workers().get(0);
    assertThat(worker.running()).isEqualTo(Map.of("definition", 2));
    assertThat(worker.types()).contains("http", "handler:hold@1");
    release("a");
    Eventually.isTrue("the third begins", () -> begun.size() == 3);
    release("b");
    release("c");
    assertThat(outcome(third).kind()).isEqualTo(Kind.SUCCEEDED);
  }

  private QueueView queue(String type) {
    return await(workers.ofCell()).queues().stream()
        .filter(each -> each.type().equals(type))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTypeThatNobodyOffersWaitsUntilSomebodyDoes() {
    StepRequest request = WorkRequests.of("a", "handler:ocr@2");
    request(request);
    Eventually.assertThat( // a desk that has just begun reads first who is there
        () -> assertThat(place("a").why()).isEqualTo("no worker offers ocr@2"));
    workers.handle("ocr@2", step -> Future.succeededFuture(step.input()));
    assertThat(outcome(request).kind()).isEqualTo(Kind.SUCCEEDED);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workers.handle("ocr@two", step -> Future.succeededFuture()))
        .withMessageContaining("name@major");
  }

  @Test
  void aSecondHandlerOfANameIsRefused() {
    workers.handle("ocr@7", step -> Future.succeededFuture(step.input()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workers.handle("ocr@7", step -> Future.succeededFuture()))
        .withMessage(
            "this node has a handler ocr@7 already: give this one another name, or another version");
  }

  @Test
  void aWaitingRunIsCancelledAtOnceAndARunningOneIsAskedToEnd() {
    StepRequest waiting = WorkRequests.of("w", "handler:none@1");
    request(waiting);
    await(workers.dispatch().cancel(waiting.key()));
    assertThat(outcome(waiting).kind()).isEqualTo(Kind.CANCELLED);
    StepRequest running = hold("a");
    await(workers.dispatch().cancel(running.key()));
    Eventually.isTrue("its handler knows", () -> begun.get(0).cancelled().isComplete());
    held.get("a").fail("interrupted");
    assertThat(outcome(running).kind()).isEqualTo(Kind.CANCELLED);
    StepRequest unknown = WorkRequests.of("unknown", "http");
    await(workers.dispatch().cancel(unknown.key()));
    assertThat(outcome(unknown).kind()).isEqualTo(Kind.CANCELLED);
  }

  @Test
  void aResultIsReportedUntilItsInstanceKnowsIt() {
    reports.failing.set(2);
    assertThat(runs(WorkRequests.of("a", "handler:echo@1")).kind()).isEqualTo(Kind.SUCCEEDED);
    assertThat(reports.failing).hasValue(0);
  }

  @Test
  void anotherDeskFindsTheRunningStepsAndNoneBeginsTwice() {
    AtomicInteger news = new AtomicInteger();
    Runnable unlisten = workers.dispatch().onNewDesk(news::incrementAndGet);
    StepRequest running = hold("a");
    long epoch = await(workers.ofCell()).epoch();
    await(callboard.admin().restart(DeskActor.PATH));
    Eventually.isTrue("this node knows of it", () -> news.get() > 0);
    request(running);
    StepRequest next = WorkRequests.of("next", "handler:echo");
    assertThat(runs(next).kind()).isEqualTo(Kind.SUCCEEDED);
    assertThat(await(workers.ofCell()).epoch()).isGreaterThan(epoch);
    assertThat(place("a").state()).isEqualTo(RunPlace.State.RUNNING);
    release("a");
    assertThat(outcome(running).kind()).isEqualTo(Kind.SUCCEEDED);
    assertThat(begun).hasSize(1);
    unlisten.run();
  }

  @Test
  void theHeartbeatOfAHandlerIsShownWithItsTime() {
    Instant before = callboard.time().clock().instant();
    hold("a");
    begun.get(0).heartbeat(JsonNodeFactory.instance.numberNode(42));
    workers.handle("other@1", step -> Future.succeededFuture()); // it reports what it has
    Eventually.isTrue("the desk has it", () -> place("a").heartbeat() != null);
    assertThat(place("a").heartbeat()).hasToString("42");
    assertThat(place("a").heartbeatAt()).isBetween(before, callboard.time().clock().instant());
    release("a");
  }

  @Test
  void aWorkerThatRestartsLosesItsRunsAndTakesOthers() {
    StepRequest running = hold("a");
    await(callboard.admin().restart(WorkerActor.path("one")));
    Eventually.isTrue("it is lost", () -> reports.lost.containsKey(running.key()));
    assertThat(reports.lost.get(running.key())).contains("restarted");
    assertThat(runs(WorkRequests.of("b", "handler:echo")).kind()).isEqualTo(Kind.SUCCEEDED);
    assertThat(reports.contradictions).isEmpty();
  }

  @Test
  void aDrainedWorkerFinishesItsRunsAndTakesNoMore() {
    StepRequest running = hold("a");
    Future<Integer> left = workers.drain(Duration.ofSeconds(20));
    StepRequest later = WorkRequests.of("b", "handler:echo@1");
    Eventually.isTrue("the desk knows", this::isDraining);
    request(later);
    assertThat(place("b").why()).contains("one is drained");
    release("a");
    assertThat(await(left)).isZero();
    assertThat(reports.done).containsKey(running.key());
    workers.undrain();
    assertThat(outcome(later).kind()).isEqualTo(Kind.SUCCEEDED);
  }

  @Test
  void anOperatorDrainsAWorkerDurably() {
    await(workers.drain("one", true));
    StepRequest request = WorkRequests.of("a", "handler:echo@1");
    Eventually.isTrue("the desk knows", this::isDraining);
    long before = await(workers.ofCell()).epoch();
    await(callboard.admin().restart(DeskActor.PATH)); // its supervisor knows; the desk may go on
    Eventually.isTrue(
        "the next desk knows, too", () -> await(workers.ofCell()).epoch() > before && isDraining());
    request(request);
    await(workers.drain("one", false));
    assertThat(outcome(request).kind()).isEqualTo(Kind.SUCCEEDED);
  }

  private boolean isDraining() {
    List<WorkerView> all = await(workers.ofCell()).workers();
    return !all.isEmpty() && all.stream().allMatch(WorkerView::draining);
  }

  /** Prints a figure of its own; it is no benchmark. */
  @Test
  void manyStepsEndEachOnce() {
    int count = 20_000;
    AtomicInteger runs = new AtomicInteger();
    workers.slots(64);
    workers.handle(
        "nothing@1",
        step -> {
          runs.incrementAndGet();
          return Future.succeededFuture();
        });
    long begin = System.nanoTime();
    List<Future<RequestAnswer>> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answers.add(workers.dispatch().request(WorkRequests.of("i" + i, "handler:nothing@1")));
    }
    await(Future.all(answers));
    Eventually.isTrue("all are done", () -> reports.done.size() == count);
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf("%,.0f steps a second%n", count / seconds);
    assertThat(runs).hasValue(count);
    assertThat(reports.contradictions).isEmpty();
  }
}
