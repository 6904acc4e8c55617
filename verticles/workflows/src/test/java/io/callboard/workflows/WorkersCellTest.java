package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static io.callboard.workflows.Answers.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.WorkCell.WorkNode;
import io.callboard.workflows.internal.protocol.RequestAnswer;
import io.callboard.workflows.internal.protocol.StepDispatch;
import io.callboard.workflows.internal.protocol.StepOutcome.Kind;
import io.callboard.workflows.internal.protocol.StepRequest;
import io.callboard.workflows.model.WorkerView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several nodes with real desks and workers; nodes end while steps run. */
@Tag("long")
@Tag("real")
class WorkersCellTest {
  private static final int SLOTS = 4;
  private static final int LARGE = 60;

  private final RecordedReports reports = new RecordedReports();
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final Map<String, Promise<JsonNode>> held = new ConcurrentHashMap<>();
  private final Map<String, String> nodeOf = new ConcurrentHashMap<>();
  private WorkCell cell;

  @BeforeEach
  void open() throws Exception {
    cell = new WorkCell(reports);
    for (String name : List.of("one", "two", "three")) {
      WorkNode node = cell.open(name, SLOTS);
      node.workers().handle("hold@1", step -> hold(name, step));
    }
    Eventually.assertThat(
        () ->
            assertThat(answer(cell.node("one").workers().ofCell()).workers())
                .hasSize(3)
                .allSatisfy(worker -> assertThat(worker.types()).contains("handler:hold@1")));
  }

  @AfterEach
  void close() {
    held.values().forEach(each -> each.tryComplete());
    cell.close();
  }

  private Future<JsonNode> hold(String node, StepContext step) {
    String run = step.instance() + "/" + step.run();
    nodeOf.put(run, node); // first: who sees that it has begun asks where
    begun.add(run);
    return held.computeIfAbsent(run, id -> Promise.promise()).future();
  }

  private static StepRequest request(int number, int run) {
    return WorkRequests.of(
        "i" + number, run, "handler:hold", null, JsonNodeFactory.instance.objectNode());
  }

  /** Requests a run until the desk has it, as instances do. */
  private static void request(StepDispatch dispatch, StepRequest request) {
    Eventually.assertThat(
        () -> {
          try {
            assertThat(await(dispatch.request(request))).isNotNull();
          } catch (RuntimeException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void requestAll(String node, int count) {
    StepDispatch dispatch = cell.node(node).workers().dispatch();
    IntStream.range(0, count).forEach(i -> request(dispatch, request(i, 1)));
  }

  private void awaitBegun(int count) {
    Eventually.isTrue(count + " run", () -> begun.size() >= count);
  }

  private void release() {
    held.values().forEach(each -> each.tryComplete(JsonNodeFactory.instance.nullNode()));
  }

  private void allDone(int count) {
    Eventually.assertThat(
        () -> {
          release();
          assertThat(reports.done).hasSize(count);
        });
    assertThat(reports.done.values()).allMatch(outcome -> outcome.kind() == Kind.SUCCEEDED);
    assertThat(reports.contradictions).isEmpty();
  }

  /** Together they are larger than a message between nodes may be. */
  @Test
  void manyStepsWithLargeInputsRun() {
    JsonNode large = JsonNodeFactory.instance.objectNode().put("x", "x".repeat(400 << 10));
    for (String name : List.of("one", "two")) { // one of them is not the desk's
      StepDispatch dispatch = cell.node(name).workers().dispatch();
      List<Future<RequestAnswer>> answers =
          IntStream.range(0, LARGE)
              .mapToObj(i -> WorkRequests.of(name + i, 1, "handler:hold", null, large))
              .map(dispatch::request)
              .toList();
      answers.forEach(each -> assertThat(await(each)).isInstanceOf(RequestAnswer.Queued.class));
    }
    allDone(2 * LARGE);
  }

  @Test
  void stepsRunOnAllNodesAndOnceEach() {
    requestAll("two", 3 * SLOTS + 5);
    awaitBegun(3 * SLOTS);
    assertThat(Set.copyOf(nodeOf.values())).containsExactlyInAnyOrder("one", "two", "three");
    assertThat(await(cell.node("three").workers().ofCell()).workers())
        .extracting(WorkerView::running)
        .containsOnly(Map.of("definition", SLOTS));
    allDone(3 * SLOTS + 5);
    assertThat(begun).doesNotHaveDuplicates();
  }

  @Test
  void aStepRunsOnTheOneNodeThatOffersItsHandlerAndSaysWhatNoNodeOffers() {
    cell.node("two").workers().handle("rare@1", step -> hold("two", step));
    StepDispatch dispatch = cell.node("one").workers().dispatch();
    request(dispatch, WorkRequests.of("i1", "handler:rare"));
    request(dispatch, WorkRequests.of("i2", "handler:none"));
    awaitBegun(1);
    assertThat(nodeOf.values()).containsExactly("two");
    assertThat(await(dispatch.places("i2")))
        .singleElement()
        .satisfies(place -> assertThat(place.why()).isEqualTo("no worker offers none"));
    allDone(1);
  }

  @Test
  void stepsOfANodeThatIsGoneAreLostAndRunElsewhere() {
    requestAll("one", 3 * SLOTS);
    awaitBegun(3 * SLOTS);
    String victim = cell.registry().equals("three") ? "two" : "three";
    Set<String> there = new HashSet<>();
    nodeOf.forEach(
        (run, node) -> {
          if (node.equals(victim)) {
            there.add(run);
          }
        });
    assertThat(there).hasSize(SLOTS);
    cell.kill(victim);
    Eventually.isTrue("its steps are lost", () -> reports.lost.size() == SLOTS);
    assertThat(reports.lost.keySet())
        .extracting(key -> key.instance() + "/" + key.run())
        .containsExactlyInAnyOrderElementsOf(there);
    StepDispatch dispatch = cell.node("one").workers().dispatch();
    reports.lost.keySet().forEach(key -> request(dispatch, request(number(key.instance()), 2)));
    allDone(3 * SLOTS);
    assertThat(begun).doesNotHaveDuplicates();
  }

  private static int number(String instance) {
    return Integer.parseInt(instance.substring(1));
  }

  @Test
  void theDeskMovesAndWhatRunsElsewhereGoesOn() {
    requestAll("one", 2);
    requestAll("two", 6);
    awaitBegun(6);
    String registry = cell.registry();
    List<String> begunBefore =
        begun.stream().filter(run -> !nodeOf.get(run).equals(registry)).toList();
    assertThat(begunBefore).isNotEmpty();
    cell.kill(registry);
    String other = registry.equals("one") ? "two" : "one";
    StepDispatch dispatch = cell.node(other).workers().dispatch();
    Set<Integer> lost = new HashSet<>();
    IntStream.range(0, 6).forEach(i -> request(dispatch, request(i, 1)));
    StepRequest later = request(99, 1);
    request(dispatch, later);
    Eventually.isTrue("a later one begins", () -> begun.contains("i99/1"));
    assertThat(nodeOf.get("i99/1")).isNotEqualTo(registry);
    Eventually.assertThat(
        () -> {
          release();
          reports.lost.keySet().stream()
              .filter(key -> lost.add(number(key.instance())))
              .forEach(key -> request(dispatch, request(number(key.instance()), 2)));
          assertThat(reports.done.keySet().stream().map(key -> key.instance()).distinct())
              .hasSize(7);
        });
    assertThat(reports.contradictions).isEmpty();
    assertThat(begunBefore)
        .as("what ran on the other nodes went on")
        .allMatch(run -> count(run) == 1);
  }

  private long count(String run) {
    return begun.stream().filter(run::equals).count();
  }
}
