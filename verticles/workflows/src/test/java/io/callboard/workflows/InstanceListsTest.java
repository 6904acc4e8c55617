package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.WorkflowPage;
import io.callboard.workflows.model.WorkflowQuery;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists of instances at each node of a cell, whose indexes ask each other. */
@Tag("real")
class InstanceListsTest {
  private static final int INSTANCES = 20;

  @AutoClose private ClusterEngines cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = new ClusterEngines();
  }

  private Workflows open(String name) throws Exception {
    Workflows workflows = cluster.open(name, WorkflowsOptions.DEFAULT);
    workflows.workers().handle("echo", step -> Future.succeededFuture(step.input()));
    return workflows;
  }

  private void areWholeEverywhere(Set<String> ids) {
    cluster
        .nodes()
        .forEach(
            (name, node) ->
                Eventually.assertThat(
                    () -> {
                      WorkflowPage page = await(node.workflows().list(WorkflowQuery.newest(200)));
                      assertThat(page.partial()).as("partial at " + name).isFalse();
                      assertThat(page.items()).extracting(InstanceRow::id).hasSameElementsAs(ids);
                      assertThat(await(node.workflows().counts()))
                          .extracting(InstanceCount::count)
                          .containsExactly((long) INSTANCES);
                    }));
  }

  @Test
  void listsAreWholeAtEachNodeAlsoAfterARestart() throws Exception {
    Workflows one = open("one");
    Workflows two = open("two");
    assertThat(
            await(
                    one.put(
                        Workflow.define("good")
                            .step("a", "handler:echo", s -> s)
                            .build()
                            .definition()))
                .isNew())
        .isTrue();
    Set<String> ids = new TreeSet<>();
    for (int i = 0; i < INSTANCES; i++) {
      StartRequest request = StartRequest.of("good", JsonNodeFactory.instance.objectNode());
      ids.add(await((i % 2 == 0 ? one : two).run(request)).id());
    }
    areWholeEverywhere(ids);
    cluster.remove("two").node().close(); // without a word of the engine
    areWholeEverywhere(ids);
    Workflows again = open("two");
    areWholeEverywhere(ids);
    assertThat(await(again.stats("good")).partial()).isFalse();
  }
}
