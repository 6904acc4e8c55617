package io.callboard.workflows.graph;

import static io.callboard.workflows.graph.StepState.CANCELLED;
import static io.callboard.workflows.graph.StepState.FAILED;
import static io.callboard.workflows.graph.StepState.PENDING;
import static io.callboard.workflows.graph.StepState.READY;
import static io.callboard.workflows.graph.StepState.SKIPPED;
import static io.callboard.workflows.graph.StepState.SUCCEEDED;

import io.callboard.time.Machine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Progress of one instance through its graph. Not thread-safe.
 *
 * <p>{@link #put} records what has happened to a step, {@link #decisions} returns what follows.
 * Decisions that settle a step or make it ready are recorded already when they are returned, so a
 * caller that persists them and records them in a new run after a restart goes on where it was.
 */
@Machine
public final class GraphRun {
  private final StepGraph graph;
  private final IntPredicate when;
  private final boolean failFast;
  private final StepState[] states;
  private final int[] unsettled; // sources of a step
  private final int[] satisfied; // edges of a step
  private final int[] winners; // position of the edge that was satisfied first, -1 for none
  private final int[] handlers; // failure edges from a step to such as may still succeed
  private final ArrayDeque<Integer> candidates = new ArrayDeque<>();
  private int open; // steps before the section finally that are not settled
  private int openLast;
  private boolean cancelled;
  private boolean forced;
  private boolean failed;
  private boolean aborted;
  private boolean lastBegun;

  /**
   * Creates a run in which nothing has happened.
   *
   * @param failFast whether the first failure for good ends it, that of a step that is neither
   *     allowed to fail nor has a {@code failure} edge to a step that may still succeed
   * @param when whether the condition of a step holds; called when its edges are satisfied, once
   */
  public GraphRun(StepGraph graph, boolean failFast, IntPredicate when) {
    this.graph = graph;
    this.failFast = failFast;
    this.when = when;
    this.states = new StepState[graph.size()];
    this.unsettled = new int[graph.size()];
    this.satisfied = new int[graph.size()];
    this.winners = new int[graph.size()];
    this.handlers = new int[graph.size()];
    Arrays.fill(states, PENDING);
    Arrays.fill(winners, -1);
    for (int step = 0; step < graph.size(); step++) {
      int[] sources = graph.sources(step);
      unsettled[step] = sources.length;
      for (int i = 0; i < sources.length; i++) {
        handlers[sources[i]] += handles(step, i) ? 1 : 0;
      }
      if (graph.isLast(step)) {
        openLast++;
      } else {
        open++;
        if (unsettled[step] == 0) {
          candidates.add(step);
        }
      }
    }
  }

  /** Returns the state of a step. */
  public StepState state(int step) {
    return states[step];
  }

  /** Returns the states of all steps, by index. */
  public List<StepState> states() {
    return List.of(states);
  }

  /**
   * Records the state of a step.
   *
   * @return whether that is news; false for a step that is settled already
   */
  public boolean put(int step, StepState state) {
    if (states[step].isSettled()) {
      return false;
    }
    states[step] = state;
    if (state.isSettled()) {
      settled(step, state);
    }
    return true;
  }

  private void settled(int step, StepState state) {
    if (graph.isLast(step)) {
      openLast--;
    } else {
      open--;
    }
    int[] targets = graph.targets(step);
    for (int i = 0; i < targets.length; i++) {
      int target = targets[i];
      unsettled[target]--;
      if (graph.edge(step, i).on().isSatisfiedBy(state)) {
        satisfied[target]++;
        if (winners[target] < 0) {
          winners[target] = graph.positions(step)[i];
        }
      }
      candidates.add(target);
    }
    failForGood(step);
    int[] sources = graph.sources(step);
    for (int i = 0; state != SUCCEEDED && i < sources.length; i++) {
      if (handles(step, i)) {
        handlers[sources[i]]--;
        failForGood(sources[i]);
      }
    }
  }

  /** Returns whether a step handles the failure of the n-th of its sources. */
  private boolean handles(int step, int nth) {
    return graph.step(step).after().get(nth).on() == EdgeCondition.FAILURE;
  }

  /** Fails the run with {@code failFast}, if a step has failed and nothing can handle that. */
  private void failForGood(int step) {
    if (failFast
        && !failed
        && states[step] == FAILED
        && handlers[step] == 0
        && !graph.step(step).allowFailure()
        && !graph.isLast(step)) {
      failed = true;
    }
  }

  private void addPending() {
    for (int step = 0; step < states.length; step++) {
      if (states[step] == PENDING && !isSpared(step)) {
        candidates.add(step);
      }
    }
  }

  /** Cancels the run: nothing more starts but the finally steps. */
  public void cancel() {
    if (!cancelled) {
      cancelled = true;
      aborted = false;
      addPending();
    }
  }

  /** Cancels the run with its finally steps: nothing more starts. */
  public void force() {
    if (!forced) {
      cancelled = true;
      forced = true;
      aborted = false;
      addPending();
    }
  }

  /** Returns whether a cancellation lets a step run: one of finally, unless it is forced. */
  private boolean isSpared(int step) {
    return graph.isLast(step) && !forced;
  }

  /**
   * Returns the decisions that follow from the recorded states; ready steps with the longest way
   * first.
   */
  public List<StepDecision> decisions() {
    List<StepDecision> decisions = new ArrayList<>();
    abort(decisions);
    decide(decisions);
    abort(decisions); // a step that was skipped now may have been the last handler of a failure
    if (open == 0 && !lastBegun) {
      lastBegun = true;
      for (int step = 0; step < states.length; step++) {
        if (graph.isLast(step) && unsettled[step] == 0) {
          candidates.add(step);
        }
      }
      decide(decisions);
    }
    decisions.sort(Comparator.comparingInt(each -> -graph.height(each.step())));
    return decisions;
  }

  private void abort(List<StepDecision> decisions) {
    if ((cancelled || failed) && !aborted) {
      aborted = true;
      for (int step = 0; step < states.length; step++) {
        if (states[step].isOpen() && !isSpared(step) && (cancelled || drops(step))) {
          decisions.add(new StepDecision.Abort(step));
        }
      }
    }
  }

  private void decide(List<StepDecision> decisions) {
    for (Integer step = candidates.poll(); step != null; step = candidates.poll()) {
      if (states[step] == PENDING && isDecidable(step)) {
        StepDecision decision = decision(step);
        decisions.add(decision);
        boolean recorded =
            put(
                step,
                decision instanceof StepDecision.Ready
                    ? READY
                    : decision instanceof StepDecision.Skip ? SKIPPED : CANCELLED);
        if (!recorded) {
          throw new IllegalStateException("step " + step + " was settled twice");
        }
      }
    }
  }

  private boolean isDecidable(int step) {
    if (isSpared(step)) {
      return lastBegun && hasAllItNeeds(step);
    }
    return cancelled || hasAllItNeeds(step);
  }

  private boolean hasAllItNeeds(int step) {
    return unsettled[step] == 0 || (graph.step(step).join() == Join.ANY && satisfied[step] > 0);
  }

  /** Returns whether {@code failFast} drops a step because the run has failed. */
  public boolean drops(int step) {
    return failed && !graph.isLast(step) && !isCleanup(step);
  }

  /** Returns the position of the edge that was first, with {@code join: any}; -1 otherwise. */
  public int winner(int step) {
    GraphStep its = graph.step(step);
    return its.join() == Join.ANY && !its.after().isEmpty() ? winners[step] : -1;
  }

  /** Returns whether a step runs though the run has failed: all its edges are {@code any}. */
  private boolean isCleanup(int step) {
    List<StepEdge> edges = graph.step(step).after();
    return !edges.isEmpty() && edges.stream().allMatch(edge -> edge.on() == EdgeCondition.ANY);
  }

  private StepDecision decision(int step) {
    if (!isSpared(step) && (cancelled || drops(step))) {
      return new StepDecision.Drop(step);
    }
    GraphStep its = graph.step(step);
    boolean any = its.join() == Join.ANY && !its.after().isEmpty();
    boolean satisfies = any ? satisfied[step] > 0 : satisfied[step] == its.after().size();
    int winner = winner(step);
    if (!satisfies) {
      return new StepDecision.Skip(step, new SkipReason(firstUnsatisfied(step)), winner);
    } else if (!when.test(step)) {
      return new StepDecision.Skip(step, SkipReason.WHEN, winner);
    }
    return new StepDecision.Ready(step, winner);
  }

  private int firstUnsatisfied(int step) {
    List<StepEdge> edges = graph.step(step).after();
    int[] sources = graph.sources(step);
    for (int i = 0; i < sources.length; i++) {
      if (!edges.get(i).on().isSatisfiedBy(states[sources[i]])) {
        return i;
      }
    }
    throw new IllegalStateException("every edge of step " + step + " is satisfied");
  }

  /** Returns whether all steps are settled but those of the section finally. */
  public boolean hasOnlyLast() {
    return open == 0;
  }

  /** Returns the outcome; empty until every step is settled. */
  public Optional<InstanceOutcome> outcome() {
    if (open > 0 || openLast > 0) {
      return Optional.empty();
    } else if (cancelled) {
      return Optional.of(InstanceOutcome.CANCELLED);
    }
    InstanceOutcome outcome = InstanceOutcome.SUCCEEDED;
    for (int step = 0; step < states.length; step++) {
      if (fails(step)) {
        return Optional.of(InstanceOutcome.FAILED);
      } else if (states[step] == CANCELLED) { // in a round that an earlier version has begun
        outcome = InstanceOutcome.CANCELLED;
      } else if (states[step] == FAILED
          && graph.step(step).allowFailure()
          && outcome == InstanceOutcome.SUCCEEDED) {
        outcome = InstanceOutcome.SUCCEEDED_WITH_WARNINGS;
      }
    }
    return Optional.of(outcome);
  }

  /** Returns whether the failure of a step fails the run: it is neither allowed nor handled. */
  public boolean fails(int step) {
    return states[step] == FAILED && !graph.step(step).allowFailure() && !isHandled(step);
  }

  /** Returns whether a {@code failure} edge of a step leads to one that succeeded. */
  private boolean isHandled(int step) {
    int[] targets = graph.targets(step);
    for (int i = 0; i < targets.length; i++) {
      if (states[targets[i]] == SUCCEEDED && graph.edge(step, i).on() == EdgeCondition.FAILURE) {
        return true;
      }
    }
    return false;
  }
}
