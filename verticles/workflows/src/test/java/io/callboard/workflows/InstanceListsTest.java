package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.ClusterNodes.ClusterNode;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.WorkflowPage;
import io.callboard.workflows.model.WorkflowQuery;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists of instances at each node of a cell, whose indexes ask each other. */
@Tag("real")
class InstanceListsTest {
  private static final int INSTANCES = 20;

  private final Map<String, OpenNode> nodes = new LinkedHashMap<>();
  private ClusterNodes cluster;

  /** Node with the whole engine. */
  private record OpenNode(ClusterNode node, OpenEngine engine) {
    Workflows workflows() {
      return engine.workflows();
    }

    void close() {
      engine.close();
      node.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    cluster = new ClusterNodes();
  }

  @AfterEach
  void stop() {
    nodes.values().forEach(OpenNode::close);
    cluster.close();
  }

  private Workflows open(String name) throws Exception {
    ClusterNode node = cluster.open(name);
    OpenEngine engine = OpenEngine.on(node.callboard(), node.grid(), WorkflowsOptions.DEFAULT);
    Workflows workflows = engine.workflows();
    workflows.workers().handle("echo", step -> Future.succeededFuture(step.input()));
    nodes.put(name, new OpenNode(node, engine));
    return workflows;
  }

  private void areWholeEverywhere(Set<String> ids) {
    nodes.forEach(
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
    nodes.remove("two").node().close(); // without a word of the engine
    areWholeEverywhere(ids);
    Workflows again = open("two");
    areWholeEverywhere(ids);
    assertThat(await(again.stats("good")).partial()).isFalse();
  }
}
