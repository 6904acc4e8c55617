package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.jobs.Jobs;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.WorkflowsOptions;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the engine of one node, which each opens and which is closed after it. */
abstract class WorkflowsOfOneNode {
  static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  Callboard callboard;
  OpenEngine engine;
  Jobs jobs;
  Workflows workflows;

  /** Changes the options of the node. */
  void configure(CallboardOptions node) {}

  final void engine(String name) throws IOException {
    engine(name, WorkflowsOptions.DEFAULT);
  }

  /** Opens a node and its engine. */
  final void engine(String name, WorkflowsOptions options) throws IOException {
    callboard = nodes.open(name, this::configure);
    use(OpenEngine.on(callboard, options));
  }

  final void use(OpenEngine opened) {
    engine = opened;
    jobs = opened.jobs();
    workflows = opened.workflows();
  }

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  /** Waits until the instance has ended. */
  final Instance ends(Instance instance) {
    return ends(instance.id());
  }

  /** Waits until the instance has ended. */
  final Instance ends(String id) {
    Eventually.assertThat(
        () -> {
          Instance now = await(workflows.instance(id));
          assertThat(now.state().isEnded()).as(now.toString()).isTrue();
        });
    return await(workflows.instance(id));
  }
}
