package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static io.callboard.workflows.Answers.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.merge.Merger;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.MessageReceipt;
import io.callboard.workflows.model.WorkflowsOptions;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Data that code of users gets, on one node: it may change it, which changes nothing else. */
class HandedDataTest extends WorkflowsOfOneNode {
  private final List<JsonNode> seen = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    Merger spoils =
        outputs -> {
          outputs.forEach(each -> spoil(each.output()));
          return JSON.objectNode();
        };
    engine("n1", new WorkflowsOptions(4, Map.of("spoils", spoils)));
    workflows.workers().handle("spoil", HandedDataTest::spoil);
    workflows.workers().handle("see", this::see);
    workflows.workers().handle("make", step -> Future.succeededFuture(JSON.objectNode()));
  }

  /** Changes all objects of a tree. */
  private static void spoil(JsonNode tree) {
    tree.forEach(HandedDataTest::spoil);
    if (tree instanceof ObjectNode object) {
      object.put("spoiled", true);
    }
  }

  private static Future<JsonNode> spoil(StepContext step) {
    spoil(step.input());
    spoil(step.with());
    return step.output("a")
        .map(
            output -> {
              spoil(output);
              return JSON.textNode("done");
            });
  }

  private Future<JsonNode> see(StepContext step) {
    seen.add(step.input().deepCopy());
    seen.add(step.with().deepCopy());
    return Future.succeededFuture(JSON.textNode("seen"));
  }

  private Instance run(Workflow workflow, JsonNode input) {
    String definition = await(workflows.put(workflow.build().definition())).definition().name();
    return run(definition, input);
  }

  private Instance run(String definition, JsonNode input) {
    String id = await(workflows.run(StartRequest.of(definition, input))).id();
    Eventually.assertThat(
        () -> assertThat(answer(workflows.instance(id)).state().isEnded()).isTrue());
    return await(workflows.instance(id));
  }

  private void assertUnspoiled(Instance instance) {
    assertThat(instance.state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(instance.input().toString()).doesNotContain("spoiled");
    assertThat(instance.steps().get("a").output()).isEqualTo(JSON.objectNode());
    assertThat(seen).isNotEmpty();
    assertThat(seen.toString()).doesNotContain("spoiled");
  }

  private static JsonNode input() {
    return JSON.objectNode().set("in", JSON.objectNode());
  }

  @Test
  void aHandlerThatChangesWhatItGotChangesNeitherInstanceNorDefinition() {
    Map<String, Object> with = Map.of("of", Map.of("a", 1));
    Workflow workflow =
        Workflow.define("w")
            .step("a", "handler:make", s -> s.with(with))
            .step("b", "handler:spoil", s -> s.after("a").with(with))
            .step("c", "handler:see", s -> s.after("b").with(with));
    assertUnspoiled(run(workflow, input()));
    assertUnspoiled(run("w", input()));
    Instance above =
        run(
            Workflow.define("above")
                .step("a", "handler:make", s -> s)
                .step("b", "subworkflow:w", s -> s.after("a").with(with))
                .step("c", "handler:see", s -> s.after("a").after("b")),
            input());
    assertUnspoiled(above);
  }

  @Test
  void aHandlerThatChangesWhatItHasReturnedChangesNoOutput() {
    ObjectNode one = JSON.objectNode();
    workflows
        .workers()
        .handle("count", step -> Future.succeededFuture(one.put("n", one.path("n").asInt() + 1)));
    Instance counted =
        run(
            Workflow.define("w")
                .step("a", "handler:count", s -> s)
                .step("b", "handler:count", s -> s.after("a")),
            input());
    assertThat(counted.steps().get("a").output()).isEqualTo(JSON.objectNode().put("n", 1));
    assertThat(counted.steps().get("b").output()).isEqualTo(JSON.objectNode().put("n", 2));
  }

  @Test
  void aMergerThatChangesWhatItGotChangesNoOutput() {
    Instance merged =
        run(
            Workflow.define("w")
                .step("a", "handler:make", s -> s)
                .step("b", "handler:see", s -> s.after("a").merge(MergeRule.own("spoils"))),
            input());
    assertUnspoiled(merged);
  }

  @Test
  void aBuilderThatChangesItsMessageIsAskedWithTheSameOneAgain() {
    workflows.starts().builder("b", new SpoilingBuilder());
    Workflow workflow = Workflow.define("w").step("a", "handler:see", s -> s);
    await(workflows.put(workflow.build().definition()));
    await(workflows.starts().accept(Intake.built("m1", "b", input())));
    Eventually.assertThat(
        () ->
            assertThat(answer(workflows.starts().receipt("m1")).state())
                .isEqualTo(MessageReceipt.State.ENDED));
    assertThat(seen).isNotEmpty();
    assertThat(seen.toString()).doesNotContain("spoiled");
  }

  /** Builder that changes its message, and is asked once more for each instance. */
  private static final class SpoilingBuilder implements WorkflowBuilder {
    @Override
    public Future<Optional<StartRequest>> build(Build message) {
      JsonNode given = message.message().deepCopy();
      spoil(message.message());
      return message.attempt() == 1
          ? Future.failedFuture("once more")
          : Future.succeededFuture(Optional.of(StartRequest.of("w", given)));
    }
  }

  @Test
  void aUserThatChangesAViewChangesNeitherInstanceNorDefinition() {
    Workflow workflow =
        Workflow.define("w")
            .input(Map.of("type", "object"))
            .step("a", "handler:make", s -> s.with(Map.of("of", Map.of("a", 1))))
            .step("b", "handler:see", s -> s.after("a").with(Map.of("of", Map.of("a", 1))));
    Instance instance = run(workflow, input());
    spoil(instance.input());
    instance.steps().values().forEach(each -> spoil(each.output()));
    await(workflows.definition("w")).definition().steps().values().forEach(s -> spoil(s.with()));
    assertUnspoiled(await(workflows.instance(instance.id())));
    await(workflows.rerunFrom(instance.id(), "b"));
    Eventually.assertThat(() -> assertThat(seen).hasSize(4));
    assertUnspoiled(run("w", input()));
  }

  @Test
  void aUserThatChangesWhatWasGivenToTheEngineChangesNothing() {
    ObjectNode with = JSON.objectNode().set("of", JSON.objectNode());
    Workflow workflow =
        Workflow.define("w")
            .step("a", "handler:make", s -> s.with(with))
            .step("b", "handler:see", s -> s.after("a").with(with));
    await(workflows.put(workflow.build().definition()));
    JsonNode input = input();
    String id = await(workflows.run(StartRequest.of("w", input))).id();
    spoil(with);
    spoil(input);
    Eventually.assertThat(
        () -> assertThat(answer(workflows.instance(id)).state().isEnded()).isTrue());
    assertUnspoiled(await(workflows.instance(id)));
    assertUnspoiled(run("w", input()));
  }
}
