package io.callboard.workflows.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Properties of runs through random graphs, by seed, with completions in random order. */
class GraphPropertiesTest {
  private static final int GRAPHS = 2_000;
  private static final int ORDERS = 5;
  private static final List<EdgeCondition> CONDITIONS = List.of(EdgeCondition.values());

  /** Random graph: some steps, edges forwards only, all conditions, both joins. */
  static StepGraph graph(SplittableRandom random) {
    while (true) {
      Graphs graphs = new Graphs();
      int size = 1 + random.nextInt(12);
      for (int to = 0; to < size; to++) {
        List<StepEdge> after = new ArrayList<>();
        boolean last = to >= size - random.nextInt(3) && to > 0;
        for (int from = 0; from < to; from++) {
          if (graphs.steps().get(from).last() == last && random.nextInt(4) == 0) {
            after.add(new StepEdge("s" + from, CONDITIONS.get(random.nextInt(4))));
          }
        }
        Join join = random.nextInt(4) == 0 ? Join.ANY : Join.ALL;
        graphs.add(new GraphStep("s" + to, after, join, random.nextInt(5) == 0, last));
      }
      GraphCheck.Result checked = graphs.check();
      if (checked.graph().isPresent()) {
        return checked.graph().get();
      }
    }
  }

  private record End(List<StepState> states, InstanceOutcome outcome) {}

  /**
   * Plays a run to its end.
   *
   * @param fails which steps fail, if they run
   * @param holds which steps have a condition that holds
   */
  private static End play(
      StepGraph graph, boolean[] fails, boolean[] holds, SplittableRandom random, boolean stop) {
    GraphRun run = new GraphRun(graph, stop && random.nextBoolean(), step -> holds[step]);
    Set<Integer> started = new HashSet<>();
    List<Integer> running = new ArrayList<>();
    int cancelAt = stop ? random.nextInt(graph.size() * 2) : Integer.MAX_VALUE;
    int forceAt = stop ? random.nextInt(graph.size() * 4) : Integer.MAX_VALUE;
    for (int turn = 0; ; turn++) {
      if (turn == cancelAt) {
        run.cancel();
      }
      if (turn == forceAt) {
        run.force();
      }
      for (StepDecision each : run.decisions()) {
        if (each instanceof StepDecision.Ready ready) {
          assertThat(started.add(ready.step())).as("started once").isTrue();
          assertThat(turn).as("before the end is forced").isLessThan(forceAt);
          running.add(ready.step());
        } else if (each instanceof StepDecision.Abort abort) {
          assertThat(running.remove(Integer.valueOf(abort.step()))).isTrue();
          assertThat(run.put(abort.step(), StepState.CANCELLED)).isTrue();
        } else {
          assertThat(started).doesNotContain(each.step());
        }
      }
      if (running.isEmpty()) {
        if (run.outcome().isPresent()) {
          assertThat(run.states()).allMatch(StepState::isSettled);
          return new End(run.states(), run.outcome().get());
        }
        assertThat(run.states())
            .as("nothing runs, so something follows")
            .contains(StepState.PENDING);
        assertThat(turn).isLessThan(graph.size() * 4);
      } else {
        int step = running.remove(random.nextInt(running.size()));
        assertThat(run.put(step, fails[step] ? StepState.FAILED : StepState.SUCCEEDED)).isTrue();
      }
    }
  }

  @Test
  void everyStepSettlesOnceAndTheOrderDoesNotMatter() {
    Set<InstanceOutcome> outcomes = new HashSet<>();
    Set<StepState> states = new HashSet<>();
    for (int seed = 0; seed < GRAPHS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StepGraph graph = graph(random);
      boolean[] fails = booleans(graph.size(), 3, random);
      boolean[] holds = booleans(graph.size(), 8, random);
      for (int i = 0; i < holds.length; i++) {
        holds[i] = !holds[i];
      }
      End first = play(graph, fails, holds, random, false);
      for (int order = 1; order < ORDERS; order++) {
        assertThat(play(graph, fails, holds, random, false)).as("seed %d", seed).isEqualTo(first);
      }
      outcomes.add(first.outcome());
      states.addAll(first.states());
    }
    assertThat(outcomes).hasSize(3);
    assertThat(states)
        .containsExactlyInAnyOrder(StepState.SUCCEEDED, StepState.FAILED, StepState.SKIPPED);
  }

  @Test
  void everyStepSettlesWhenARunIsCancelledOrEndsAtAFailure() {
    Set<InstanceOutcome> outcomes = new HashSet<>();
    for (int seed = 0; seed < GRAPHS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StepGraph graph = graph(random);
      boolean[] fails = booleans(graph.size(), 3, random);
      boolean[] holds = new boolean[graph.size()];
      Arrays.fill(holds, true);
      outcomes.add(play(graph, fails, holds, random, true).outcome());
    }
    assertThat(outcomes).hasSize(4);
  }

  static boolean[] booleans(int size, int oneIn, SplittableRandom random) {
    boolean[] all = new boolean[size];
    for (int i = 0; i < size; i++) {
      all[i] = random.nextInt(oneIn) == 0;
    }
    return all;
  }
}
