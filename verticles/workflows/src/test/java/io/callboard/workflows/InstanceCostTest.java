package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.admin.CommitCounts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What an instance writes: its creation, and one turn a step. A round is 520 units; a second write
 * of each step would make it 920, one of every other step 720. When the machine stands still for a
 * moment, the watchdog of bypasses writes messages that wait to be handled, too: so there are some
 * rounds until one is within the limit, which lies below both.
 */
class InstanceCostTest {
  private static final int STEPS = 10;
  private static final int INSTANCES = 40;
  private static final int ROUNDS = 10;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  @Test
  void aStepCostsOneTurn() throws Exception {
    Callboard callboard = nodes.open("n1");
    OpenEngine engine = OpenEngine.on(callboard, 0, 50);
    Workflows workflows = engine.workflows();
    workflows.workers().handle("nothing", step -> Future.succeededFuture());
    Workflow line = Workflow.define("line").step("s0", "handler:nothing", s -> s);
    for (int i = 1; i < STEPS; i++) {
      String before = "s" + (i - 1);
      line.step("s" + i, "handler:nothing", s -> s.after(before));
    }
    String version = await(workflows.put(line.build().definition())).version();
    ends(workflows, List.of(run(workflows, version))); // what is read and created once
    int turns = INSTANCES * (STEPS + 1);
    long most = turns + INSTANCES + turns / 2L; // the mail that wakes each instance, and some
    long units = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS && units > most; round++) {
      units = Math.min(units, units(callboard, workflows, version));
    }
    assertThat(units).isBetween((long) turns, most);
    engine.close();
  }

  /** Returns the units of the commits of some instances, from their start to their end. */
  private static long units(Callboard callboard, Workflows workflows, String version) {
    CommitCounts before = callboard.admin().metrics().commits();
    List<Instance> instances = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      instances.add(run(workflows, version));
    }
    ends(workflows, instances);
    return callboard.admin().metrics().commits().units() - before.units();
  }

  private static Instance run(Workflows workflows, String version) {
    return await(
        workflows.run(
            new StartRequest(
                "line", version, JsonNodeFactory.instance.objectNode(), null, 5, Map.of())));
  }

  /** Waits for the end of instances by the index, which writes nothing. */
  private static void ends(Workflows workflows, List<Instance> instances) {
    Eventually.assertThat(
        () -> {
          List<String> ended =
              await(workflows.list(WorkflowQuery.newest(Workflows.MOST_ITEMS))).items().stream()
                  .filter(row -> row.state() == InstanceState.SUCCEEDED)
                  .map(InstanceRow::id)
                  .toList();
          assertThat(ended).containsAll(instances.stream().map(Instance::id).toList());
        });
  }
}
