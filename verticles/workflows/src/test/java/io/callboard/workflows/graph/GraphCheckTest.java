package io.callboard.workflows.graph;

import static io.callboard.testkit.Futures.await;
import static io.callboard.workflows.graph.EdgeCondition.ANY;
import static io.callboard.workflows.graph.EdgeCondition.FAILURE;
import static io.callboard.workflows.graph.EdgeCondition.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.graph.GraphDefect.Code;
import io.vertx.core.Future;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GraphCheckTest {
  private final Graphs graphs = new Graphs();

  private List<String> defects() {
    return graphs.check().defects().stream().map(GraphDefect::toString).toList();
  }

  @Test
  void cycleIsShownAsItsShortestPath() {
    graphs.step("fetch", "index", SUCCESS).step("extract", "fetch", SUCCESS);
    graphs.step("index", "extract", SUCCESS).step("more", "index", SUCCESS);
    graphs.step("x", Join.ALL, Map.of("y", SUCCESS)).step("z", "x", SUCCESS);
    graphs.step("y", Join.ALL, Map.of("x", SUCCESS, "z", SUCCESS));
    assertThat(defects())
        .containsExactly(
            "WF001 at /steps/fetch/after/index: these steps wait for each other: fetch → extract → index → fetch; remove one of these edges",
            "WF001 at /steps/x/after/y: these steps wait for each other: x → y → x; remove one of these edges",
            "WF003 at /steps/more: more can never start: it waits for steps that wait for each other");
  }

  @Test
  void longCycleIsShownByItsEnds() {
    graphs.step("s0", "s9999", SUCCESS);
    for (int i = 1; i < GraphCheck.MOST_STEPS; i++) {
      graphs.step("s" + i, "s" + (i - 1), SUCCESS);
    }
    assertThat(defects())
        .containsExactly(
            "WF001 at /steps/s0/after/s9999: these 10,000 steps wait for each other: s0 → s1 → s2 → s3 → s4 → s5 → s6 → s7 → s8 → s9 → s10 → s11 → s12 → s13 → s14 → s15 → s16 → s17 → s18 → … → s9999 → s0; remove one of these edges");
  }

  /** 1,000 layers of ten steps, each behind all of the layer before, in a ring, and a pair. */
  @Test
  void cyclesOfALargeGraphAreFoundInTime() {
    for (int i = 0; i < GraphCheck.MOST_STEPS - 2; i++) {
      int layer = i / 10;
      List<StepEdge> after = new ArrayList<>();
      for (int j = 0; j < 10; j++) {
        int source = (layer == 0 ? 999 : layer - 1) * 10 + j;
        if (source < GraphCheck.MOST_STEPS - 2) {
          after.add(new StepEdge("s" + source, SUCCESS));
        }
      }
      graphs.add(new GraphStep("s" + i, after, Join.ALL, false, false));
    }
    graphs.step("x", "y", SUCCESS).step("y", "x", SUCCESS);
    List<String> found =
        await(Future.fromCompletionStage(CompletableFuture.supplyAsync(this::defects)));
    assertThat(found).hasSize(2);
    assertThat(found.get(0)).contains("these 1,000 steps wait for each other");
    assertThat(found.get(1)).contains("these steps wait for each other: x → y → x");
  }

  @Test
  void stepThatWaitsForItselfIsACycle() {
    graphs.step("a", "a", ANY);
    assertThat(defects())
        .containsExactly(
            "WF001 at /steps/a/after/a: these steps wait for each other: a → a; remove one of these edges");
  }

  @Test
  void allDefectsAreReportedAtOnce() {
    graphs.step("extract").step("extract").step("index", "extrct", SUCCESS);
    graphs.add(
        new GraphStep(
            "twice",
            List.of(new StepEdge("index", SUCCESS), new StepEdge("index", ANY)),
            Join.ALL,
            false,
            false));
    graphs.add(
        new GraphStep(
            "never",
            List.of(new StepEdge("index", SUCCESS), new StepEdge("index", FAILURE)),
            Join.ALL,
            false,
            false));
    graphs.last("end", "index", ANY);
    assertThat(graphs.check().graph()).isEmpty();
    assertThat(defects())
        .containsExactly(
            "WF004 at /steps/extract: there are two steps \"extract\"; give one of them another id",
            "WF002 at /steps/index/after/extrct: there is no step \"extrct\"; did you mean \"extract\"?",
            "WF005 at /steps/twice/after/index: twice has two edges from index, on success and on any; keep one: ok is success or skipped, any is every settlement",
            "WF006 at /steps/never/after: never can never run: it needs the success and the failure of index; use join: any, or one of them",
            "WF002 at /finally/end/after/index: the finally step end cannot wait for index, which is in steps; finally steps begin when all others are settled");
  }

  @Test
  void contradictionIsFoundOverAPath() {
    graphs.step("a").step("b", "a", SUCCESS).step("c", "b", SUCCESS);
    graphs.step("d", Join.ALL, Map.of("a", FAILURE, "c", SUCCESS)).step("e", "d", SUCCESS);
    assertThat(defects())
        .containsExactly(
            "WF006 at /steps/d/after: d can never run: it needs the success and the failure of a; use join: any, or one of them");
  }

  @Test
  void emptyDefinitionIsRefused() {
    assertThat(GraphCheck.of(List.of()).defects())
        .extracting(GraphDefect::code)
        .containsExactly(Code.WF010);
    graphs.last("end");
    assertThat(graphs.check().defects()).extracting(GraphDefect::code).containsExactly(Code.WF010);
  }

  @Test
  void limits() {
    graphs.step("s0");
    for (int i = 1; i <= GraphCheck.MOST_DEPTH; i++) {
      graphs.step("s" + i, "s" + (i - 1), SUCCESS);
    }
    assertThat(defects())
        .containsExactly(
            "WF009 at /steps: the longest path has 1,001 steps; the limit is 1,000: split it into sub-workflows");
    List<GraphStep> many = new ArrayList<>();
    for (int i = 0; i <= GraphCheck.MOST_STEPS; i++) {
      many.add(new GraphStep("s" + i, List.of(), Join.ALL, false, false));
    }
    assertThat(GraphCheck.of(many).defects())
        .extracting(GraphDefect::code)
        .containsExactly(Code.WF009);
  }

  @Test
  void oneDefectDoesNotHideOthers() {
    graphs.step("x", "y", SUCCESS).step("y", "x", SUCCESS).step("lost", "missing", SUCCESS);
    graphs.step("a").step("b", "a", SUCCESS);
    graphs.step("never", Join.ALL, Map.of("a", FAILURE, "b", SUCCESS, "none", ANY));
    graphs.step("maybe", Join.ANY, Map.of("a", FAILURE, "nobody", SUCCESS));
    graphs.step("later", Join.ALL, Map.of("b", SUCCESS, "maybe", SUCCESS));
    graphs.step("s0");
    for (int i = 1; i <= GraphCheck.MOST_DEPTH; i++) {
      graphs.step("s" + i, "s" + (i - 1), SUCCESS);
    }
    assertThat(graphs.check().graph()).isEmpty();
    assertThat(defects())
        .extracting(each -> each.substring(0, each.indexOf(':')))
        .containsExactly(
            "WF002 at /steps/lost/after/missing",
            "WF002 at /steps/never/after/none",
            "WF002 at /steps/maybe/after/nobody", // which may be the edge that suffices
            "WF001 at /steps/x/after/y",
            "WF006 at /steps/never/after",
            "WF009 at /steps");
  }

  /** 10,000 steps and 20,000 edges are checked and run to their end, the best of ten rounds. */
  @Test
  @Tag("long") // goes by the speed of the machine
  void largeGraphTakesUnderATenthOfASecond() {
    SplittableRandom random = new SplittableRandom(7);
    List<GraphStep> steps = new ArrayList<>();
    for (int i = 0; i < GraphCheck.MOST_STEPS; i++) {
      List<StepEdge> after = new ArrayList<>();
      if (i >= 500) { // levels of some 500 steps
        int first = random.nextInt(499);
        after.add(new StepEdge("s" + (i - 500 + first), i % 3 == 0 ? ANY : SUCCESS));
        after.add(new StepEdge("s" + (i - 499 + first), i % 5 == 0 ? FAILURE : ANY));
      }
      if (i >= 9_000) {
        after.add(new StepEdge("s" + (i - 1_000), ANY));
      }
      steps.add(new GraphStep("s" + i, after, i % 5 == 0 ? Join.ANY : Join.ALL, false, false));
    }
    assertThat(steps).hasSize(10_000);
    assertThat(steps.stream().mapToInt(step -> step.after().size()).sum()).isEqualTo(20_000);
    long best = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long from = cpu();
      assertThat(toTheEnd(steps)).isEqualTo(GraphCheck.MOST_STEPS);
      best = Math.min(best, cpu() - from);
    }
    assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofMillis(100));
  }

  /** Time that this thread has computed: other work of the machine is not measured. */
  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static int toTheEnd(List<GraphStep> steps) {
    GraphCheck.Result checked = GraphCheck.of(steps);
    StepGraph graph =
        checked.graph().orElseThrow(() -> new AssertionError(checked.defects().toString()));
    GraphRun run = new GraphRun(graph, false, step -> true);
    List<StepDecision> decisions = run.decisions();
    int settled = 0;
    while (!decisions.isEmpty()) {
      for (StepDecision each : decisions) {
        settled++;
        if (each instanceof StepDecision.Ready ready
            && !run.put(
                ready.step(), ready.step() % 7 == 0 ? StepState.FAILED : StepState.SUCCEEDED)) {
          throw new AssertionError("settled before");
        }
      }
      decisions = run.decisions();
    }
    return run.outcome().isPresent() ? settled : 0;
  }
}
