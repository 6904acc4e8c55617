package io.callboard.examples.reference;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.StartRequest;
import io.callboard.workflows.StepHandler;
import io.callboard.workflows.WorkflowBuilder;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import java.util.Map;

/** A definition in Java, the handler that its steps run, and an instance of it. */
final class Greetings {
  private Greetings() {}

  static CheckedDefinition definition() {
    return Workflow.define("greetings")
        .step("greet", "handler:greet@1", step -> step.attempts(3))
        .step("tell", "process", step -> step.command("echo", "done").after("greet"))
        .build(); // throws with all errors
  }

  static void offer(Workflows workflows) {
    workflows
        .workers()
        .handle(
            "greet@1",
            step -> {
              String name = step.input().at("/input/name").asText("you");
              return Future.succeededFuture(
                  JsonNodeFactory.instance.objectNode().put("text", "Hello " + name));
            });
  }

  static void offerApart(Workflows workflows, StepHandler scan, WorkflowBuilder letters) {
    workflows.workers().handle("scan@1", "scanner", scan); // zones of the configuration
    workflows.starts().builder("letters", "post", letters);
  }

  static WorkflowsOptions options() {
    return new WorkflowsOptions(
        WorkflowsOptions.DEFAULT_SLOTS,
        Map.of("last", outputs -> outputs.get(outputs.size() - 1).output()));
  }

  static Future<Instance> start(Workflows workflows) {
    return workflows
        .put(definition().definition())
        .compose(stored -> workflows.run(StartRequest.of("greetings")));
  }
}
