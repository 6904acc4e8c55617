package io.callboard.workflows.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of a run through a random graph, played from one seed: it is cancelled, also by force,
 * what succeeded is undone, it is retried and run again from steps, and made anew from what was
 * recorded at any time.
 *
 * <ul>
 *   <li>B1: a step begins if its edges, its join and its condition say so.
 *   <li>B2: when it begins, all is settled that it follows, over any path that led to it.
 *   <li>E1: at the end of a round each step is settled as the rule says, and so is the outcome.
 * </ul>
 */
final class GraphRounds {
  private static final int ROUNDS = 5;
  private static final int MOST_TURNS = 1_000;

  /** Flaw of the choice of what begins anew, with which a rule must break. */
  enum Flaw {
    NONE,
    /** What succeeded stays, whatever it follows. */
    KEEPS_WHAT_SUCCEEDED,
    /** What was cancelled stays, unless it follows what begins anew. */
    LEAVES_CANCELLED
  }

  private final SplittableRandom random;
  private final Flaw flaw;
  private final StepGraph graph;
  private final boolean failFast;
  private final boolean[] holds;
  private final boolean[] undoable;
  private final StepState[] states;
  private final int[] winners;
  private final boolean[] ready;
  private final boolean[] undone;
  private final List<Integer> running = new ArrayList<>();
  private GraphRun run;
  private boolean cancelled;
  private boolean forced;
  int retried;
  int rerun;

  GraphRounds(long seed, Flaw flaw) {
    this.random = new SplittableRandom(seed);
    this.flaw = flaw;
    this.graph = GraphPropertiesTest.graph(random);
    this.failFast = random.nextInt(3) == 0;
    this.holds = GraphPropertiesTest.booleans(graph.size(), 2, random);
    this.undoable = GraphPropertiesTest.booleans(graph.size(), 3, random);
    this.states = new StepState[graph.size()];
    this.winners = new int[graph.size()];
    this.ready = new boolean[graph.size()];
    this.undone = new boolean[graph.size()];
    for (int step = 0; step < graph.size(); step++) {
      holds[step] |= random.nextInt(4) > 0;
      reset(step);
    }
    this.run = anew();
  }

  private void reset(int step) {
    states[step] = StepState.PENDING;
    winners[step] = -1;
    ready[step] = false;
    undone[step] = false;
  }

  /** Makes the run from what was recorded. */
  private GraphRun anew() {
    GraphRun made = new GraphRun(graph, failFast, step -> holds[step]);
    for (int step = 0; step < graph.size(); step++) {
      if (states[step] != StepState.PENDING) {
        rule(made.put(step, states[step]), "B1", "%d was settled twice", step);
      }
    }
    if (cancelled) {
      made.cancel();
    }
    if (forced) {
      made.force();
    }
    return made;
  }

  void play() {
    for (int round = 0; round < ROUNDS; round++) {
      for (int turn = 0; !turn(); turn++) {
        rule(turn < MOST_TURNS, "E1", "it does not end");
      }
      judge();
      open(run.outcome().orElseThrow());
    }
  }

  /** Plays a turn; returns whether the run has ended. */
  private boolean turn() {
    int dice = random.nextInt(60);
    if (dice == 0) {
      cancelled = true;
      run.cancel();
    } else if (dice == 1 && random.nextInt(3) == 0) {
      cancelled = true;
      forced = true;
      run.force();
    } else if (dice < 12) {
      run = anew();
    }
    run.decisions().forEach(this::carryOut);
    if (running.isEmpty()) {
      return run.outcome().isPresent();
    }
    int step = running.get(random.nextInt(running.size()));
    settle(step, random.nextInt(3) == 0 ? StepState.FAILED : StepState.SUCCEEDED);
    return false;
  }

  private void carryOut(StepDecision decision) {
    int step = decision.step();
    if (decision instanceof StepDecision.Ready its) {
      winners[step] = its.winner();
      ready[step] = true;
      begins(step);
      states[step] = StepState.RUNNING;
      boolean unused = run.put(step, StepState.RUNNING);
      running.add(step);
    } else if (decision instanceof StepDecision.Skip its) {
      winners[step] = its.winner();
      states[step] = StepState.SKIPPED;
    } else if (decision instanceof StepDecision.Drop) {
      states[step] = StepState.CANCELLED;
    } else if (running.contains(step)) { // it may be made anew when it is being cancelled
      settle(step, random.nextInt(4) == 0 ? StepState.SUCCEEDED : StepState.CANCELLED);
    }
  }

  private void settle(int step, StepState state) {
    running.remove(Integer.valueOf(step));
    states[step] = state;
    rule(run.put(step, state), "B1", "%d was settled twice", step);
  }

  private void begins(int step) {
    int[] sources = graph.sources(step);
    for (int i = 0; i < sources.length; i++) {
      boolean counts = winners[step] < 0 || winners[step] == i;
      rule(!counts || isSatisfied(step, i), "B1", "%d begins without %d", step, sources[i]);
    }
    rule(holds[step], "B1", "%d begins though its condition is false", step);
    BitSet seen = new BitSet();
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(step));
    for (Integer next = queue.poll(); next != null; next = queue.poll()) {
      boolean dropped = states[next] == StepState.CANCELLED && !ready[next];
      for (int source : dropped ? new int[0] : decisive(next)) {
        if (!seen.get(source)) {
          seen.set(source);
          queue.add(source);
          rule(states[source].isSettled(), "B2", "%d begins before %d has ended", step, source);
        }
      }
    }
  }

  private int[] decisive(int step) {
    int[] sources = graph.sources(step);
    return winners[step] < 0 ? sources : new int[] {sources[winners[step]]};
  }

  private boolean isSatisfied(int step, int nth) {
    StepState source = states[graph.sources(step)[nth]];
    return source.isSettled() && graph.step(step).after().get(nth).on().isSatisfiedBy(source);
  }

  // The end of a round.

  private void judge() {
    InstanceOutcome outcome = InstanceOutcome.SUCCEEDED;
    boolean failed = false;
    for (int step = 0; step < graph.size(); step++) {
      place(step);
      failed |= fails(step);
      if (states[step] == StepState.FAILED && graph.step(step).allowFailure()) {
        outcome = InstanceOutcome.SUCCEEDED_WITH_WARNINGS;
      }
    }
    outcome = failed ? InstanceOutcome.FAILED : outcome;
    outcome = cancelled ? InstanceOutcome.CANCELLED : outcome;
    rule(run.outcome().orElseThrow() == outcome, "E1", "the rule says %s", outcome);
    rule(run.states().equals(List.of(states)), "E1", "it is %s", run.states());
  }

  private void place(int step) {
    GraphStep its = graph.step(step);
    int satisfied = 0;
    for (int i = 0; i < its.after().size(); i++) {
      satisfied += isSatisfied(step, i) ? 1 : 0;
    }
    boolean any = its.join() == Join.ANY && !its.after().isEmpty();
    boolean runs = holds[step] && (any ? satisfied > 0 : satisfied == its.after().size());
    switch (states[step]) {
      case SUCCEEDED, FAILED -> rule(runs, "E1", "%d ran", step);
      case SKIPPED -> rule(!runs, "E1", "%d was skipped", step);
      case CANCELLED -> rule(mayBeCut(step), "E1", "%d was cancelled", step);
      default -> rule(false, "E1", "%d is not settled", step);
    }
  }

  private boolean mayBeCut(int step) {
    if (graph.isLast(step)) {
      return forced;
    }
    boolean fast = false;
    for (int each = 0; each < graph.size(); each++) {
      fast |= failFast && !graph.isLast(each) && fails(each);
    }
    return cancelled || fast;
  }

  private boolean fails(int step) {
    boolean handled = false;
    int[] targets = graph.targets(step);
    for (int i = 0; i < targets.length; i++) {
      boolean handles = graph.edge(step, i).on() == EdgeCondition.FAILURE;
      handled |= handles && states[targets[i]] == StepState.SUCCEEDED;
    }
    return states[step] == StepState.FAILED && !graph.step(step).allowFailure() && !handled;
  }

  // The next round.

  private void open(InstanceOutcome outcome) {
    boolean bad = outcome == InstanceOutcome.FAILED || outcome == InstanceOutcome.CANCELLED;
    for (int step = 0; step < graph.size(); step++) {
      undone[step] |= bad && undoable[step] && states[step] == StepState.SUCCEEDED;
    }
    int from = bad && random.nextBoolean() ? -1 : random.nextInt(graph.size());
    retried += from < 0 ? 1 : 0;
    rerun += from < 0 ? 0 : 1;
    BitSet again =
        from < 0
            ? NextRound.retry(graph, run, step -> winners[step], step -> undone[step])
            : NextRound.from(graph, run, from, step -> undone[step]);
    for (int step = 0; step < graph.size(); step++) {
      boolean itself = step == from || undone[step] || graph.isLast(step);
      boolean stays =
          switch (flaw) {
            case NONE -> false;
            case KEEPS_WHAT_SUCCEEDED -> from < 0 && !itself && states[step] == StepState.SUCCEEDED;
            case LEAVES_CANCELLED ->
                from >= 0
                    && !itself
                    && states[step] == StepState.CANCELLED
                    && Arrays.stream(graph.sources(step)).noneMatch(again::get);
          };
      again.set(step, again.get(step) && !stays);
    }
    again.stream().forEach(this::reset);
    cancelled = false;
    forced = false;
    run = anew();
  }

  private void rule(boolean holds, String rule, String text, @Nullable Object... what) {
    if (!holds) {
      StringBuilder steps = new StringBuilder();
      for (int step = 0; step < graph.size(); step++) {
        steps.append("%n%s: %s, %d".formatted(graph.step(step), states[step], winners[step]));
      }
      throw new AssertionError(
          "%s: %s; failFast %s, cancelled %s%s"
              .formatted(rule, text.formatted(what), failFast, cancelled, steps));
    }
  }
}
