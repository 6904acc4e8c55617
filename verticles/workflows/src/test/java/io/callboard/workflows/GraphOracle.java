package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.workflows.WorkflowsHistory.HandlerEnd;
import io.callboard.workflows.WorkflowsHistory.HandlerRun;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.StepDefinition;
import io.callboard.workflows.definition.StepRun;
import io.callboard.workflows.definition.WorkflowDefinition;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.Join;
import io.callboard.workflows.graph.StepEdge;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.instance.InstanceFold;
import io.callboard.workflows.internal.instance.InstanceMachine;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepRunKey;
import io.callboard.workflows.internal.protocol.StepTable;
import io.callboard.workflows.internal.protocol.StepUndo;
import io.callboard.workflows.model.InstanceEnded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judge of instances that have ended: the rule of the graph, written down once more, over what the
 * handlers gave.
 *
 * <ul>
 *   <li>O1: a step ends as its last run did, with its output; a run that failed is not the last one
 *       while attempts are left. One that got no thread within its timeout failed, too, without a
 *       handler.
 *   <li>O2: a step began, ran, or was skipped, as its edges, its join and its condition say, in
 *       each round; the outcome is that of the rule.
 *   <li>O3: what succeeded is undone in the reverse order, if it can be and the outcome is bad;
 *       what could not be undone ends that, and so does an end by force, which alone cancels it and
 *       finally steps.
 *   <li>T1: each end was told once.
 * </ul>
 */
final class GraphOracle {
  private final WorkflowsWorld world;
  private final String id;
  private final InstanceData data;
  private final CheckedDefinition checked;
  private final Map<String, StepDefinition> steps = new LinkedHashMap<>();
  private final List<InstanceEvent> events;

  GraphOracle(WorkflowsWorld world, String id, InstanceData data) {
    this.world = world;
    this.id = id;
    this.data = data;
    this.checked = world.definition(data);
    this.events = world.events(id);
    steps.putAll(checked.definition().steps());
    steps.putAll(checked.definition().last());
  }

  void judge() {
    ends();
    events();
    begins();
    steps.keySet().forEach(this::place);
    InstanceOutcome rule = outcome();
    rule(data.outcome() == rule, "O2", "it is %s, the rule says %s", data.outcome(), rule);
    undone();
    boolean old = !checked.version().equals(world.version(checked.definition().name()));
    if (old) {
      world.history().does(RehearsedDeed.PINNED);
    }
  }

  private void rule(boolean holds, String rule, String text, Object... what) {
    if (!holds) {
      String its = text.formatted(what).replace("%", "%%");
      String definition = checked.definition().toString().replace("%", "%%");
      world.history().say("JUDGED", data);
      world.history().rule(false, "%s: instance %s: %s%n%s", rule, id, its, definition);
    }
  }

  // T1.

  private void ends() {
    if (data.created().listener() == null) {
      return;
    }
    List<String> ended =
        events.stream()
            .filter(InstanceEvent.Ended.class::isInstance)
            .map(event -> ((InstanceEvent.Ended) event).outcome().name())
            .toList();
    List<String> told =
        world.history().ends(id).stream().map(InstanceEnded::state).map(Enum::name).toList();
    rule(ended.equals(told), "T1", "it ended as %s, and its listener was told %s", ended, told);
  }

  // O1.

  private void events() {
    Map<String, Integer> open = new HashMap<>();
    Map<String, Integer> runs = new HashMap<>();
    Map<String, Integer> attempts = new HashMap<>();
    boolean undo = false;
    for (InstanceEvent event : events) {
      if (event instanceof InstanceEvent.StepStarted e) {
        rule(!open.containsKey(e.step()), "O1", "%s begins while another run is open", e);
        rule(
            e.run() == runs.getOrDefault(e.step(), 0) + 1,
            "O1",
            "%s follows run %s",
            e,
            runs.get(e.step()));
        open.put(e.step(), e.run());
        runs.put(e.step(), e.run());
        attempts.put(e.step(), e.attempt());
      } else if (event instanceof InstanceEvent.StepRetries e) {
        rule(Integer.valueOf(e.run()).equals(open.remove(e.step())), "O1", "%s is not open", e);
        failed(e.step(), e.run(), e.error(), attempts.get(e.step()), undo, true);
      } else if (event instanceof InstanceEvent.StepLost e) {
        rule(Integer.valueOf(e.run()).equals(open.remove(e.step())), "O1", "%s is not open", e);
      } else if (event instanceof InstanceEvent.StepEnded e) {
        open.remove(e.step());
        ended(e, attempts.getOrDefault(e.step(), 0), undo);
      } else if (event instanceof InstanceEvent.UndoBegan) {
        undo = true;
      } else if (event instanceof InstanceEvent.Reopened) {
        undo = false;
      }
    }
    rule(open.isEmpty(), "O1", "it has ended with open runs: %s", open);
  }

  private boolean isChild(String step, boolean undo) {
    return !undo && steps.get(step).run().kind() == StepRun.Kind.SUBWORKFLOW;
  }

  private List<HandlerRun> runs(String step, int run) {
    return world.history().runs(new StepRunKey(id, step, run));
  }

  private void ended(InstanceEvent.StepEnded event, int attempt, boolean undo) {
    String step = event.step();
    if (isChild(step, undo)) {
      child(event);
    } else if (event.state() == StepState.SUCCEEDED) {
      boolean given =
          runs(step, event.run()).stream()
              .anyMatch(
                  run ->
                      run.end == HandlerEnd.SUCCEEDED
                          && (undo || same(run.output, event.output())));
      rule(given, "O1", "no handler gave that: %s, but %s", event, runs(step, event.run()));
    } else if (event.state() == StepState.FAILED) {
      failed(step, event.run(), event.error(), attempt, undo, false);
    }
  }

  private static boolean same(@Nullable JsonNode one, @Nullable JsonNode other) {
    return one != null && one.equals(other);
  }

  /** A child that is run again by itself says nothing to the one above it: its first end counts. */
  private void child(InstanceEvent.StepEnded event) {
    InstanceData child =
        event.child() == null ? child(event.step(), event.run()) : world.instance(event.child());
    if (event.state() == StepState.CANCELLED) {
      return;
    }
    InstanceOutcome outcome = child == null ? null : child.outcome();
    boolean well =
        outcome == InstanceOutcome.SUCCEEDED || outcome == InstanceOutcome.SUCCEEDED_WITH_WARNINGS;
    rule(
        well == (event.state() == StepState.SUCCEEDED),
        "O1",
        "%s, but its instance is %s",
        event,
        outcome);
  }

  private @Nullable InstanceData child(String step, int run) {
    return events.stream()
        .filter(InstanceEvent.StepStarted.class::isInstance)
        .map(InstanceEvent.StepStarted.class::cast)
        .filter(started -> started.step().equals(step) && started.run() == run)
        .map(InstanceEvent.StepStarted::child)
        .findFirst()
        .map(world::instance)
        .orElse(null);
  }

  private void failed(
      String step, int run, @Nullable String error, int attempt, boolean undo, boolean again) {
    StepDefinition its = steps.get(step);
    boolean left = attempt < its.retry().attempts();
    if (isChild(step, undo)) {
      rule(left == again || !again, "O1", "step %s is tried again too often", step);
      return;
    }
    boolean timed = its.timeout() != null; // whatever a handler gives after that, too
    boolean failed =
        runs(step, run).stream()
            .anyMatch(
                each ->
                    again
                        ? each.end == HandlerEnd.FAILED || timed
                        : each.end == HandlerEnd.FAILED_FOR_GOOD
                            || (!left && (each.end == HandlerEnd.FAILED || timed)));
    boolean unbegun = // its timeout has passed while it waited for a thread
        timed
            && error != null
            && error.startsWith("it got no thread of zone ")
            && runs(step, run).isEmpty()
            && left == again;
    boolean lost =
        !again
            && data.steps().get(step).lost() + undoLost(step) > 0
            && lostRuns(step) > InstanceMachine.MOST_LOST;
    rule(
        (failed || unbegun || lost) && (left || !again),
        "O1",
        "run %d of step %s, attempt %d, is said to have failed%s; its handlers: %s",
        run,
        step,
        attempt,
        again ? ", and is tried again" : " for good",
        runs(step, run).stream().map(each -> each + " " + each.end).toList());
  }

  private long lostRuns(String step) {
    return events.stream()
        .filter(event -> event instanceof InstanceEvent.StepLost lost && lost.step().equals(step))
        .count();
  }

  private int undoLost(String step) {
    StepUndo undo = data.steps().get(step).undo();
    return undo == null ? 0 : undo.lost();
  }

  // O2.

  /** In each round a step begins as its edges and its join say, by what is settled then. */
  private void begins() {
    InstanceData then = InstanceData.NONE;
    for (InstanceEvent event : events) {
      if (event instanceof InstanceEvent.StepStarted e && then.undoing() == null) {
        StepTable states = then.steps();
        Integer winner = e.winner() == null ? states.get(e.step()).winner() : e.winner();
        List<StepEdge> after = steps.get(e.step()).after();
        List<StepEdge> edges = winner == null ? after : List.of(after.get(winner));
        for (StepEdge edge : edges) {
          StepState source = states.get(edge.from()).state();
          boolean satisfied = source.isSettled() && satisfies(edge.on(), source);
          rule(satisfied, "O2", "%s, but %s is %s", e, edge.from(), source);
        }
      }
      then = InstanceFold.apply(then, event);
    }
  }

  /** A step that an end by force has left without a record was cancelled. */
  private StepState state(String step) {
    StepState recorded = data.steps().get(step).state();
    boolean left = recorded == StepState.PENDING && data.forcedBy() != null;
    return left ? StepState.CANCELLED : recorded;
  }

  private void place(String step) {
    StepDefinition its = steps.get(step);
    List<StepEdge> edges = its.after();
    long satisfied =
        edges.stream().filter(edge -> satisfies(edge.on(), state(edge.from()))).count();
    boolean edgesSay =
        edges.isEmpty() || (its.join() == Join.ANY ? satisfied > 0 : satisfied == edges.size());
    boolean holds = its.when() == null || data.created().input().path("n").asInt() >= 5;
    switch (state(step)) {
      case SUCCEEDED, FAILED -> rule(edgesSay && holds, "O2", "step %s ran: %s", step, states());
      case SKIPPED -> rule(!edgesSay || !holds, "O2", "step %s was skipped: %s", step, states());
      case CANCELLED -> rule(isCut(step), "O2", "step %s was cancelled: %s", step, states());
      default -> rule(false, "O2", "step %s is not settled: %s", step, states());
    }
  }

  private static boolean satisfies(EdgeCondition edge, StepState source) {
    return switch (edge) {
      case SUCCESS -> source == StepState.SUCCEEDED;
      case FAILURE -> source == StepState.FAILED;
      case OK -> source == StepState.SUCCEEDED || source == StepState.SKIPPED;
      case ANY -> true;
    };
  }

  private Map<String, StepState> states() {
    Map<String, StepState> all = new TreeMap<>();
    steps.keySet().forEach(step -> all.put(step, state(step)));
    return all;
  }

  private boolean isCut(String step) {
    return checked.definition().last().containsKey(step) ? data.forcedBy() != null : endsEarly();
  }

  private boolean endsEarly() {
    WorkflowDefinition definition = checked.definition();
    boolean fast = definition.failFast() && steps.keySet().stream().anyMatch(this::endsAll);
    if (fast && data.stop() == null) {
      world.history().does(RehearsedDeed.FAILED_FAST);
    }
    return data.stop() != null || fast;
  }

  /** Returns whether the failure of a step ends all others: nothing handles it any more. */
  private boolean endsAll(String step) {
    return state(step) == StepState.FAILED
        && !steps.get(step).allowFailure()
        && handlers(step).stream()
            .map(this::state)
            .noneMatch(end -> end == StepState.SUCCEEDED); // all are settled
  }

  /** Returns the steps to which {@code failure} edges of a step lead. */
  private List<String> handlers(String step) {
    StepEdge edge = new StepEdge(step, EdgeCondition.FAILURE);
    return steps.entrySet().stream()
        .filter(other -> other.getValue().after().contains(edge))
        .map(Map.Entry::getKey)
        .toList();
  }

  private InstanceOutcome outcome() {
    if (data.stop() == InstanceStop.CANCEL) {
      return InstanceOutcome.CANCELLED;
    } else if (data.stop() == InstanceStop.TIMEOUT) {
      return InstanceOutcome.FAILED;
    }
    boolean warns = false;
    for (String step : steps.keySet()) {
      if (state(step) == StepState.FAILED && steps.get(step).allowFailure()) {
        warns = true;
      } else if (state(step) == StepState.FAILED && !isHandled(step)) {
        return InstanceOutcome.FAILED;
      }
    }
    return warns ? InstanceOutcome.SUCCEEDED_WITH_WARNINGS : InstanceOutcome.SUCCEEDED;
  }

  private boolean isHandled(String step) {
    return handlers(step).stream().anyMatch(other -> state(other) == StepState.SUCCEEDED);
  }

  // O3.

  private void undone() {
    boolean bad =
        data.outcome() == InstanceOutcome.FAILED || data.outcome() == InstanceOutcome.CANCELLED;
    boolean broken = false;
    int[] order = checked.graph().order();
    for (int i = order.length - 1; i >= 0; i--) {
      String step = checked.graph().step(order[i]).id();
      StepUndo undo = data.steps().get(step).undo();
      boolean due =
          bad && state(step) == StepState.SUCCEEDED && steps.get(step).compensate() != null;
      boolean cut =
          data.forcedBy() != null && (undo == null || undo.state() == StepState.CANCELLED);
      if (!due || broken) {
        rule(undo == null, "O3", "step %s was undone: %s", step, undo);
      } else if (cut) {
        broken = true;
      } else {
        boolean over =
            undo != null
                && (undo.state() == StepState.SUCCEEDED || undo.state() == StepState.FAILED);
        rule(over, "O3", "step %s was not undone: %s", step, undo);
        broken = over && undo.state() == StepState.FAILED;
      }
    }
    undoneInOrder();
  }

  /** The runs that undo do not overlap, and follow the reverse order. */
  private void undoneInOrder() {
    List<String> begun = new ArrayList<>();
    boolean undo = false;
    for (InstanceEvent event : events) {
      if (event instanceof InstanceEvent.Reopened) {
        undo = false;
        begun.clear();
      } else if (event instanceof InstanceEvent.UndoBegan) {
        undo = true;
      } else if (undo && event instanceof InstanceEvent.StepStarted started) {
        if (begun.isEmpty() || !begun.get(begun.size() - 1).equals(started.step())) {
          begun.add(started.step());
        }
      }
    }
    List<String> expected = new ArrayList<>();
    int[] order = checked.graph().order();
    for (int i = order.length - 1; i >= 0; i--) {
      String step = checked.graph().step(order[i]).id();
      if (data.steps().get(step).undo() != null) {
        expected.add(step);
      }
    }
    rule(begun.equals(expected), "O3", "undone in the order %s, not %s", begun, expected);
  }
}
