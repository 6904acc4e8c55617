package io.callboard.workflows.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.DefinitionReader;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.Join;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.protocol.InstanceStop;
import io.callboard.workflows.internal.protocol.StepOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random graphs with random outcomes, orders, retries, losses, cancellations and restarts. */
class InstancePropertiesTest {
  private static final int WORLDS = 1_500;
  private static final int MOST_TURNS = 5_000;

  /** Outcome of an attempt of a step: a function of the world, not of the order. */
  private static StepOutcome outcome(long world, OpenRun run) {
    int hash = new Random(world * 31 + run.id().hashCode() + run.attempt()).nextInt(10);
    if (hash < 6) {
      return StepOutcome.succeeded(JsonNodeFactory.instance.numberNode(hash));
    }
    return hash < 9 ? StepOutcome.failed("no") : StepOutcome.timeout("too long");
  }

  private static Optional<CheckedDefinition> definition(Random random) {
    Workflow workflow = Workflow.define("random");
    if (random.nextInt(4) == 0) {
      workflow.failFast(true);
    }
    int size = 1 + random.nextInt(14);
    int reader = 1 + random.nextInt(2 * size); // of half of them, none
    boolean rooted = random.nextBoolean(); // so that there is something to read in any case
    for (int i = 0; i < size; i++) {
      int step = i;
      workflow.step(
          "s" + i,
          "handler:x",
          s -> {
            for (int source = 0; source < step; source++) {
              if (random.nextInt(3) == 0 || (rooted && source == 0)) {
                s.after(
                    "s" + source,
                    EdgeCondition.values()[random.nextInt(EdgeCondition.values().length)]);
              }
            }
            if (random.nextInt(4) == 0) {
              s.joinAny();
            }
            if (random.nextInt(5) == 0) {
              s.allowFailure();
            }
            if (step == reader) {
              s.when("$.outputs.s%d > %d".formatted(random.nextInt(1 + step / 3), 2));
            }
            if (random.nextInt(4) == 0) {
              s.compensate("handler:undo");
            }
            return s.retry(
                new StepRetry(1 + random.nextInt(3), Duration.ofSeconds(1), Duration.ofSeconds(4)));
          });
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      workflow.last("z" + i, "handler:x", s -> s);
    }
    return workflow.check().definition();
  }

  /** Plays an instance to its end, and returns how its steps were settled. */
  private static Map<String, StepState> play(
      CheckedDefinition definition, long world, Random order, boolean calm) {
    PlayedInstance it =
        new PlayedInstance(definition, JsonNodeFactory.instance.objectNode(), order);
    end(it, world, order, calm);
    Map<String, StepState> states = new TreeMap<>();
    for (int step = 0; step < definition.graph().size(); step++) {
      String id = definition.graph().step(step).id();
      states.put(id, it.state(id));
      assertThat(it.state(id).isSettled()).as(id + " of world " + world).isTrue();
    }
    return states;
  }

  private static void end(PlayedInstance it, long world, Random order, boolean calm) {
    int turns = 0;
    while (it.data().outcome() == null) {
      assertThat(turns++).as("turns of world " + world).isLessThan(MOST_TURNS);
      List<OpenRun> open = new ArrayList<>(it.requested.values());
      int dice = order.nextInt(20);
      if (!calm && dice == 0) {
        it.stop(order.nextBoolean() ? InstanceStop.CANCEL : InstanceStop.TIMEOUT);
      } else if (!calm && dice == 4 && order.nextInt(4) == 0) {
        it.force("a user");
      } else if (dice <= 2) {
        it.restart();
      } else if (open.isEmpty() || dice == 3) {
        it.later(Duration.ofSeconds(order.nextInt(3)));
      } else {
        report(it, open.get(order.nextInt(open.size())), world, order);
      }
    }
    if (it.data().forcedBy() != null) {
      assertThat(it.data().reason()).as("reason of world " + world).contains("by force of a user");
    }
    assertThat(it.started)
        .as("runs of world " + world)
        .extracting(run -> run.id() + "/" + run.run())
        .doesNotHaveDuplicates();
    assertThat(it.requested).isEmpty();
    assertThat(it.progress().open()).isEmpty();
    assertThat(it.progress().counts().values().stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(it.definition.graph().size());
  }

  private static void report(PlayedInstance it, OpenRun run, long world, Random order) {
    int dice = order.nextInt(10);
    if (dice == 0) {
      it.lost(run.id(), run.run());
    } else {
      it.done(run.id(), run.run(), outcome(world, run));
      if (dice < 4) { // repeated reports, and late ones of earlier runs
        it.done(run.id(), run.run(), outcome(world, run));
        it.lost(run.id(), Math.max(1, run.run() - order.nextInt(2)));
      }
    }
  }

  @Test
  void everyInstanceEndsAndNoRunBeginsTwice() {
    for (long world = 0; world < WORLDS; world++) {
      Random random = new Random(world);
      Optional<CheckedDefinition> definition = definition(random);
      if (definition.isPresent()) {
        assertThat(play(definition.get(), world, random, false)).isNotEmpty();
      }
    }
  }

  /** Returns a definition whose conditions behind {@code join: any} read whatever step. */
  private static String ofAnEarlierVersion(Random random) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("name", "earlier");
    ObjectNode steps = json.putObject("steps");
    int size = 3 + random.nextInt(10);
    for (int i = 0; i < size; i++) {
      ObjectNode step = steps.putObject("s" + i).put("run", "handler:x");
      if (i >= 2) {
        ObjectNode after = step.putObject("after");
        after.put("s" + random.nextInt(i), random.nextBoolean() ? "any" : "success");
        after.put("s" + random.nextInt(i), random.nextBoolean() ? "any" : "failure");
        step.put("join", "any").put("when", "$.outputs.s%d > 2".formatted(random.nextInt(i)));
      }
    }
    return json.toString();
  }

  /** What is not settled yet is read as null, once. */
  @Test
  void conditionsOfEarlierVersionsThatReadWhatIsNotSettledEndAllTheSame() {
    int refused = 0;
    for (long world = 0; world < WORLDS / 10; world++) {
      Random random = new Random(world);
      String text = ofAnEarlierVersion(random);
      refused += DefinitionReader.json(text).definition().isEmpty() ? 1 : 0;
      CheckedDefinition stored = DefinitionReader.stored(text).definition().orElseThrow();
      assertThat(play(stored, world, random, false)).isNotEmpty();
    }
    assertThat(refused).as("definitions that are refused today").isGreaterThan(50);
  }

  private static boolean readsOutputsBehindJoinAny(CheckedDefinition definition) {
    return definition.definition().steps().values().stream()
        .anyMatch(
            step -> step.join() == Join.ANY && step.when() != null && step.after().size() > 1);
  }

  @Test
  void anInstanceThatIsRestoredToAnyEventEndsAndNoRunBeginsTwice() {
    for (long world = 0; world < WORLDS / 5; world++) {
      Random random = new Random(world);
      Optional<CheckedDefinition> definition = definition(random);
      if (definition.isPresent()) {
        PlayedInstance it =
            new PlayedInstance(definition.get(), JsonNodeFactory.instance.objectNode(), random);
        end(it, world, random, false);
        for (int life = 0; life < 3; life++) {
          List<OpenRun> before = List.copyOf(it.started);
          it.restore(1 + random.nextInt(it.last()));
          assertThat(it.requested.values()).doesNotContainAnyElementsOf(before);
          for (OpenRun late : before) {
            if (random.nextInt(4) == 0) {
              it.done(late.id(), late.run(), StepOutcome.failedForGood("of an earlier life"));
            }
          }
          it.later(Duration.ZERO);
          end(it, world, random, false);
        }
        assertThat(it.data().toString()).doesNotContain("of an earlier life");
      }
    }
  }

  @Test
  void settlementsDoNotDependOnTheOrderOfReports() {
    int reading = 0;
    for (long world = 0; world < WORLDS; world++) {
      Optional<CheckedDefinition> definition = definition(new Random(world));
      if (definition.isPresent() && !definition.get().definition().failFast()) {
        Map<String, StepState> one = play(definition.get(), world, new Random(world + 1), true);
        Map<String, StepState> other = play(definition.get(), world, new Random(world + 2), true);
        assertThat(other).as("states of world " + world).isEqualTo(one);
        reading += readsOutputsBehindJoinAny(definition.get()) ? 1 : 0;
      }
    }
    assertThat(reading).as("definitions that read outputs behind join: any").isGreaterThan(5);
  }
}
