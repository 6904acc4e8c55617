package io.callboard.workflows.internal.instance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.BlobRef;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.GraphStep;
import io.callboard.workflows.graph.InstanceOutcome;
import io.callboard.workflows.graph.Join;
import io.callboard.workflows.graph.StepEdge;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An instance of a random definition over some rounds, played from one seed: it is cancelled, also
 * by force, is over its timeout, is retried and run again from steps, and restarts at any time;
 * runs are lost, and reports come twice.
 *
 * <ul>
 *   <li>B1: a step begins if its edges, its join and its condition say so.
 *   <li>I1: what a step sees is the same for all runs of a round, in each life.
 *   <li>E1: at the end of a round each step is settled as the rule says, and so is the outcome.
 *   <li>R1: a step from which the instance is run again is not cancelled at once, unless another
 *       step fails at once: what it merges cannot be merged.
 * </ul>
 */
final class InstanceRounds {
  private static final int MOST_TURNS = 5_000;
  private static final int ROUNDS = 5;

  private final Random random;
  private final PlayedInstance it;
  private final boolean holds;
  private final Map<String, JsonNode> inputs = new HashMap<>();
  private InstanceData seen = InstanceData.NONE;
  private int seenEvents;
  int retried;
  int rerun;
  int refused;

  InstanceRounds(long seed) {
    random = new Random(seed);
    CheckedDefinition definition = definition();
    int n = random.nextInt(10);
    holds = n >= 5;
    it =
        new PlayedInstance(
            definition, JsonNodeFactory.instance.objectNode().put("n", n), new Random(seed + 1));
  }

  private CheckedDefinition definition() {
    Optional<CheckedDefinition> made = Optional.empty();
    while (made.isEmpty()) {
      Workflow workflow = Workflow.define("random").failFast(random.nextInt(3) == 0);
      int size = 1 + random.nextInt(8);
      for (int i = 0; i < size; i++) {
        int step = i;
        workflow.step("s" + i, "handler:x", s -> options(s, "s", step));
      }
      int last = random.nextInt(3);
      for (int i = 0; i < last; i++) {
        int step = i;
        workflow.last("z" + i, "handler:x", s -> options(s, "z", step));
      }
      made = workflow.check().definition();
    }
    return made.get();
  }

  private Workflow.Step options(Workflow.Step step, String prefix, int index) {
    for (int source = 0; source < index; source++) {
      if (random.nextInt(3) == 0) {
        EdgeCondition on = EdgeCondition.values()[random.nextInt(EdgeCondition.values().length)];
        step.after(prefix + source, random.nextBoolean() ? EdgeCondition.SUCCESS : on);
      }
    }
    if (random.nextInt(3) == 0) {
      step.joinAny();
    }
    if (random.nextInt(6) == 0) {
      step.allowFailure();
    }
    if (random.nextInt(3) == 0) {
      step.compensate("handler:undo");
    }
    if (random.nextInt(8) == 0) {
      step.when("$.input.n >= 5");
    }
    if (random.nextInt(8) == 0) {
      step.merge(MergeRule.DISJOINT);
    }
    return step.retry(
        new StepRetry(1 + random.nextInt(2), Duration.ofSeconds(1), Duration.ofSeconds(4)));
  }

  void play() {
    for (int turn = 0; it.data().round() <= ROUNDS; turn++) {
      rule(turn < MOST_TURNS, "E1", "it does not end");
      look();
      if (it.data().outcome() == null) {
        goOn();
      } else {
        judge();
        open();
      }
    }
  }

  private void goOn() {
    List<OpenRun> open = new ArrayList<>(it.requested.values());
    int dice = random.nextInt(40);
    if (dice == 0) {
      it.stop(random.nextInt(4) > 0 ? InstanceStop.CANCEL : InstanceStop.TIMEOUT);
    } else if (dice == 1 && random.nextInt(4) == 0) {
      it.force("a user");
    } else if (dice <= 6) {
      it.restart();
    } else if (open.isEmpty() || dice == 7) {
      it.later(Duration.ofSeconds(random.nextInt(3)));
    } else {
      OpenRun run = open.get(random.nextInt(open.size()));
      if (dice == 8) {
        it.lost(run.id(), run.run());
      } else {
        StepOutcome outcome = outcome(run);
        it.done(run.id(), run.run(), outcome);
        if (dice == 9) {
          it.done(run.id(), run.run(), outcome);
        }
      }
    }
  }

  private StepOutcome outcome(OpenRun run) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> StepOutcome.failed("no");
      case 4 -> StepOutcome.failedForGood("never");
      case 5 -> StepOutcome.stored(new BlobRef("x" + BlobRef.KEPT, 300_000, 1, "00000000"));
      case 6, 7, 8 -> StepOutcome.succeeded(json().put("same", run.run()));
      default -> StepOutcome.succeeded(json().put(run.id(), run.run() + "/" + random.nextInt()));
    };
  }

  private static ObjectNode json() {
    return JsonNodeFactory.instance.objectNode();
  }

  private void open() {
    if (random.nextInt(4) == 0) {
      it.restart();
    }
    if (ChangeRefusals.ofRetry(it.data()).isEmpty() && random.nextBoolean()) {
      retried++;
      it.retry();
      return;
    }
    String from = it.definition.graph().step(random.nextInt(it.definition.graph().size())).id();
    if (it.rerun(from).isPresent()) {
      refused++;
    } else {
      rerun++;
      boolean fails =
          it.events.subList(seenEvents, it.events.size()).stream().anyMatch(this::fails);
      rule(fails || it.state(from) != StepState.CANCELLED, "R1", "%s is cancelled at once", from);
    }
  }

  private boolean fails(InstanceEvent event) {
    return event instanceof InstanceEvent.StepEnded its && its.state() == StepState.FAILED;
  }

  /** Looks at the events since it looked last, and at what is requested now. */
  private void look() {
    for (; seenEvents < it.events.size(); seenEvents++) {
      InstanceEvent event = it.events.get(seenEvents);
      if (event instanceof InstanceEvent.StepStarted started && seen.undoing() == null) {
        begins(started);
      }
      seen = InstanceFold.apply(seen, event);
    }
    for (OpenRun run : it.requested.values()) {
      String key = run.id() + " of round " + it.data().round() + (run.undo() ? ", undone" : "");
      JsonNode now = it.input(run);
      JsonNode first = inputs.computeIfAbsent(key, same -> now.deepCopy());
      rule(first.equals(now), "I1", "%s saw %s, and now %s", key, first, now);
    }
  }

  private void begins(InstanceEvent.StepStarted event) {
    GraphStep step = step(event.step());
    Integer winner = event.winner() == null ? seen.steps().get(step.id()).winner() : event.winner();
    List<StepEdge> edges =
        step.join() == Join.ANY && winner != null
            ? List.of(step.after().get(winner))
            : step.after();
    rule(edges.stream().allMatch(this::isSatisfied), "B1", "%s begins", step.id());
    rule(isWilling(step), "B1", "%s begins though its condition is false", step.id());
  }

  private GraphStep step(String id) {
    return it.definition.graph().step(it.definition.graph().index(id).orElseThrow());
  }

  private boolean isWilling(GraphStep step) {
    int index = it.definition.graph().index(step.id()).orElseThrow();
    return holds || it.definition.step(index).when() == null;
  }

  private boolean isSatisfied(StepEdge edge) {
    StepState source = seen.steps().get(edge.from()).state();
    return source.isSettled() && edge.on().isSatisfiedBy(source);
  }

  // The end of a round.

  private void judge() {
    InstanceOutcome outcome = InstanceOutcome.SUCCEEDED;
    boolean failed = false;
    for (int i = 0; i < it.definition.graph().size(); i++) {
      GraphStep step = it.definition.graph().step(i);
      place(step);
      failed |= fails(step);
      if (it.state(step.id()) == StepState.FAILED && step.allowFailure()) {
        outcome = InstanceOutcome.SUCCEEDED_WITH_WARNINGS;
      }
    }
    if (it.data().stop() != null) {
      outcome =
          it.data().stop() == InstanceStop.CANCEL
              ? InstanceOutcome.CANCELLED
              : InstanceOutcome.FAILED;
    } else if (failed) {
      outcome = InstanceOutcome.FAILED;
    }
    rule(it.data().outcome() == outcome, "E1", "the rule says %s", outcome);
  }

  private void place(GraphStep step) {
    long satisfied = step.after().stream().filter(this::isSatisfied).count();
    boolean runs =
        isWilling(step)
            && (step.join() == Join.ANY && !step.after().isEmpty()
                ? satisfied > 0
                : satisfied == step.after().size());
    switch (it.state(step.id())) {
      case SUCCEEDED, FAILED -> rule(runs, "E1", "%s ran", step.id());
      case SKIPPED -> rule(!runs, "E1", "%s was skipped", step.id());
      case CANCELLED -> rule(mayBeCut(step), "E1", "%s was cancelled", step.id());
      default -> rule(false, "E1", "%s is not settled", step.id());
    }
  }

  private boolean mayBeCut(GraphStep step) {
    return step.last()
        ? it.data().forcedBy() != null
        : it.data().stop() != null
            || (it.definition.definition().failFast()
                && it.definition.definition().steps().keySet().stream()
                    .anyMatch(each -> fails(step(each))));
  }

  private boolean fails(GraphStep step) {
    return it.state(step.id()) == StepState.FAILED && !step.allowFailure() && !isHandled(step);
  }

  private boolean isHandled(GraphStep step) {
    StepEdge edge = new StepEdge(step.id(), EdgeCondition.FAILURE);
    return IntStream.range(0, it.definition.graph().size())
        .mapToObj(it.definition.graph()::step)
        .anyMatch(
            each -> each.after().contains(edge) && it.state(each.id()) == StepState.SUCCEEDED);
  }

  private void rule(boolean holds, String rule, String text, @Nullable Object... what) {
    if (!holds) {
      Map<String, StepState> states = new TreeMap<>();
      it.definition.definition().steps().keySet().forEach(id -> states.put(id, it.state(id)));
      it.definition.definition().last().keySet().forEach(id -> states.put(id, it.state(id)));
      StringBuilder story = new StringBuilder();
      it.events.forEach(event -> story.append('\n').append(event));
      throw new AssertionError(
          "%s: %s; %s, %s%n%s%s"
              .formatted(
                  rule,
                  text.formatted(what),
                  it.data().state(),
                  states,
                  it.definition.definition(),
                  story));
    }
  }
}
