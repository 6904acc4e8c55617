package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.definition.WorkflowDefinition;
import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.model.DefinitionVersion;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.InvalidWorkflow;
import io.callboard.workflows.model.StartedInstance;
import io.callboard.workflows.model.StepView;
import io.callboard.workflows.model.WorkflowException;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Instances as real actors on one node, with its real jobs. */
class WorkflowsTest extends WorkflowsOfOneNode {
  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final Map<String, Promise<JsonNode>> held = new ConcurrentHashMap<>();

  @BeforeEach
  void start() throws Exception {
    open("n1");
  }

  private void open(String name) throws Exception {
    engine(name);
    workflows.workers().handle("echo", this::echo);
    workflows.workers().handle("fail", step -> Future.failedFuture("no " + step.step()));
    workflows.workers().handle("hold", this::hold);
  }

  private Future<JsonNode> echo(StepContext step) {
    ran.add(step.step() + "/" + step.run());
    return Future.succeededFuture(step.input());
  }

  private Future<JsonNode> hold(StepContext step) {
    Promise<JsonNode> end = Promise.promise();
    held.put(step.step(), end); // first: who sees that it ran may end it
    ran.add(step.step() + "/" + step.run());
    step.cancelled().onSuccess(v -> end.tryFail("told to end"));
    return end.future();
  }

  private DefinitionVersion put(Workflow workflow) {
    return await(workflows.put(workflow.build().definition()));
  }

  private Instance run(String definition) {
    return await(workflows.run(StartRequest.of(definition, JSON.objectNode().put("n", 1))));
  }

  /** Waits until the instance has that state. */
  private Instance becomes(String id, InstanceState state) {
    Eventually.assertThat(
        () -> {
          Instance now = await(workflows.instance(id));
          assertThat(now.state()).as(now.toString()).isEqualTo(state);
        });
    return await(workflows.instance(id));
  }

  private Instance becomesStep(String id, String step, StepState state) {
    Eventually.assertThat(
        () -> assertThat(await(workflows.instance(id)).steps().get(step).state()).isEqualTo(state));
    return await(workflows.instance(id));
  }

  /** Waits until a run of a step has reached its handler, which is after the step is RUNNING. */
  private void hasRun(String run) {
    Eventually.isTrue(run + " has begun", () -> ran.contains(run));
  }

  @Test
  void aLineOfHandlersRunsInOrderAndEachStepSeesWhatIsBeforeIt() {
    DefinitionVersion version =
        put(
            Workflow.define("line")
                .step("a", "handler:echo", s -> s)
                .step("b", "handler:echo", s -> s.after("a"))
                .step("c", "handler:echo", s -> s.after("b")));
    assertThat(version.isNew()).isTrue();
    Instance ended = ends(run("line"));
    assertThat(ended.state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ended.version()).isEqualTo(version.version());
    assertThat(ran).containsExactly("a/1", "b/1", "c/1");
    assertThat(String.valueOf(ended.steps().get("b").output()))
        .isEqualTo(
            "{\"input\":{\"n\":1},\"outputs\":{\"a\":{\"input\":{\"n\":1},\"outputs\":{}}}}");
    assertThat(ended.steps().get("c").attempts()).isEqualTo(1);
    assertThat(await(workflows.events(ended.id())))
        .extracting(change -> change.what())
        .containsExactly(
            "created",
            "started",
            "succeeded",
            "started",
            "succeeded",
            "started",
            "succeeded",
            "succeeded");
    assertThat(await(workflows.why(ended.id())).summary()).isEqualTo("it has ended");
  }

  @Test
  void definitionsHaveVersionsByContentAndInstancesKeepTheirs() {
    Workflow one = Workflow.define("two").step("a", "handler:hold", s -> s);
    DefinitionVersion first = put(one);
    assertThat(put(one).isNew()).isFalse();
    Instance running = run("two");
    becomesStep(running.id(), "a", StepState.RUNNING);
    hasRun("a/1");
    DefinitionVersion second =
        put(
            Workflow.define("two")
                .step("a", "handler:echo", s -> s)
                .step("b", "handler:echo", s -> s.after("a")));
    assertThat(await(workflows.versions("two")).items())
        .extracting(DefinitionVersion::version)
        .containsExactly(second.version(), first.version());
    assertThat(await(workflows.definition("two")).version()).isEqualTo(second.version());
    assertThat(await(workflows.definitions())).containsExactly("two");
    held.get("a").complete(JSON.textNode("end"));
    assertThat(ends(running).steps()).containsOnlyKeys("a");
    assertThat(ends(run("two")).steps()).containsOnlyKeys("a", "b");
    assertThat(put(one).isNew()).isFalse(); // the old content is current again
    assertThat(await(workflows.definition("two")).version()).isEqualTo(first.version());
  }

  @Test
  void aMistakeIsReportedWithItsCode() {
    WorkflowDefinition wrong =
        new WorkflowDefinition("wrong", null, 1, false, null, Map.of(), Map.of());
    assertThatThrownBy(() -> await(workflows.put(wrong))).isInstanceOf(InvalidWorkflow.class);
    assertThatThrownBy(() -> run("nothing"))
        .isInstanceOfSatisfying(
            WorkflowException.class,
            e -> assertThat(e.code()).isEqualTo(WorkflowException.Code.NOT_FOUND));
    String none = UUID.randomUUID().toString();
    assertThatThrownBy(() -> await(workflows.instance(none)))
        .isInstanceOfSatisfying(
            WorkflowException.class,
            e -> assertThat(e.code()).isEqualTo(WorkflowException.Code.NOT_FOUND));
    assertThatThrownBy(() -> await(workflows.cancel("x"))).isInstanceOf(WorkflowException.class);
  }

  @Test
  void aFailureIsRetriedThenHandled() {
    put(
        Workflow.define("handled")
            .step(
                "a",
                "handler:fail",
                s -> s.retry(new StepRetry(2, Duration.ofMillis(20), Duration.ofMillis(40))))
            .step("b", "handler:echo", s -> s.after("a"))
            .step("c", "handler:echo", s -> s.after("a", EdgeCondition.FAILURE)));
    Instance ended = ends(run("handled"));
    assertThat(ended.state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ended.steps().get("a").attempts()).isEqualTo(2);
    assertThat(ended.steps().get("a").reason()).contains("no a");
    assertThat(ended.steps().get("b").state()).isEqualTo(StepState.SKIPPED);
    assertThat(ended.steps().get("b").reason()).isEqualTo("success of a, which is FAILED");
  }

  @Test
  void aStepWithoutAWorkerWaitsAndSaysWhatFor() {
    put(
        Workflow.define("waits")
            .step("a", "handler:late@2", s -> s)
            .step("b", "handler:echo", s -> s.after("a")));
    Instance instance = run("waits");
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.why(instance.id())).steps().get("a").text())
                .contains("no worker offers late@2"));
    assertThat(await(workflows.why(instance.id())).steps().get("b").text())
        .isEqualTo("it waits for success of a");
    assertThat(await(workflows.why(instance.id())).summary()).isEqualTo("it waits for a");
    workflows.workers().handle("late@2", this::echo);
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aCancelledInstanceEndsAfterItsFinallyStep() {
    put(
        Workflow.define("cancelled")
            .step("a", "handler:hold", s -> s)
            .step("b", "handler:echo", s -> s.after("a"))
            .last("z", "handler:echo", s -> s));
    Instance instance = run("cancelled");
    becomesStep(instance.id(), "a", StepState.RUNNING);
    hasRun("a/1");
    assertThat(await(workflows.cancel(instance.id())).state()).isEqualTo(InstanceState.CANCELLING);
    Instance ended = ends(instance);
    assertThat(ended.state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(ended.steps().get("a").state()).isEqualTo(StepState.CANCELLED);
    assertThat(ended.steps().get("z").state()).isEqualTo(StepState.SUCCEEDED);
    assertThat(await(workflows.cancel(instance.id())).state()).isEqualTo(InstanceState.CANCELLED);
    Instance again = await(workflows.retry(instance.id()));
    assertThat(again.state()).isEqualTo(InstanceState.RUNNING);
    becomesStep(instance.id(), "a", StepState.RUNNING);
    hasRun("a/2");
    held.get("a").complete(JSON.textNode("end"));
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ran).containsExactly("a/1", "z/1", "a/2", "b/1", "z/2");
  }

  @Test
  void aRerunThatAFailureWouldEndAtOnceIsRefusedWithTheStepToRetry() {
    put(
        Workflow.define("fast")
            .failFast(true)
            .step("a", "handler:hold", s -> s)
            .step("b", "handler:echo", s -> s));
    Instance instance = run("fast");
    becomesStep(instance.id(), "b", StepState.SUCCEEDED);
    hasRun("a/1");
    held.get("a").fail("no luck");
    Instance ended = ends(instance);
    assertThatThrownBy(() -> await(workflows.rerunFrom(ended.id(), "b")))
        .isInstanceOfSatisfying(
            WorkflowException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(WorkflowException.Code.ILLEGAL_STATE))
        .hasMessageContaining("step a has failed");
    assertThat(await(workflows.instance(ended.id()))).isEqualTo(ended);
  }

  @Test
  void anInstanceOverItsTimeoutFails() {
    put(Workflow.define("late").timeout(Duration.ofMillis(300)).step("a", "handler:hold", s -> s));
    Instance ended = ends(run("late"));
    assertThat(ended.state()).isEqualTo(InstanceState.FAILED);
    assertThat(ended.reason()).isEqualTo("it was over its timeout of PT0.3S");
  }

  private void refuses(String pointer, String why, StartRequest request) {
    assertThatThrownBy(() -> await(workflows.submit(request)))
        .as(pointer)
        .isInstanceOfSatisfying(
            WorkflowException.class,
            e -> {
              assertThat(e.code()).isEqualTo(WorkflowException.Code.INVALID);
              assertThat(e.pointer()).isEqualTo(pointer);
            })
        .hasMessageContaining(why);
  }

  @Test
  void aRequestIsCheckedAsOverHttp() {
    put(Workflow.define("checked").step("a", "handler:hold", s -> s));
    StartRequest right = StartRequest.of("checked");
    for (Map<String, String> each :
        List.of(Map.of("a b", "c"), Map.of("", "c"), Map.of("k".repeat(64), "c"))) {
      refuses("/labels", "is no label key", labelled(right, "k", each));
    }
    refuses("/labels/a~1b", "this has 201", labelled(right, "k", Map.of("a/b", "v".repeat(201))));
    String unplain = "must not contain NUL or an unpaired surrogate";
    refuses("/labels/a", unplain, labelled(right, "k", Map.of("a", "\0")));
    refuses("/uniqueKey", "the key " + unplain, labelled(right, "\ud83d", Map.of()));
    assertThatThrownBy(() -> labelled(right, "k", Collections.singletonMap("a", null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("labels/a is null: give a text, or leave it out");
    refuses("/uniqueKey", "is blank", labelled(right, " ", Map.of()));
    refuses("/uniqueKey", "this has 201", labelled(right, "k".repeat(201), Map.of()));
    Map<String, String> longest = Map.of("k".repeat(63), "v".repeat(200));
    assertThat(
            await(workflows.submit(labelled(right, "k".repeat(200), longest))).instance().labels())
        .isEqualTo(longest);
  }

  private static StartRequest labelled(
      StartRequest request, String key, Map<String, String> labels) {
    return new StartRequest(request.definition(), null, request.input(), key, 5, labels);
  }

  @Test
  void aUniqueKeyIsHeldUntilItsInstanceHasEnded() {
    put(Workflow.define("unique").step("a", "handler:hold", s -> s));
    StartRequest request =
        new StartRequest("unique", null, JSON.objectNode(), "order/7", 5, Map.of("shop", "x"));
    StartedInstance begun = await(workflows.submit(request));
    assertThat(begun.existing()).isFalse();
    Instance first = begun.instance();
    StartedInstance again = await(workflows.submit(request));
    assertThat(again.existing()).isTrue();
    assertThat(again.instance().id()).isEqualTo(first.id());
    Eventually.isTrue("the handler runs", () -> held.containsKey("a"));
    held.get("a").complete(JSON.textNode("end"));
    ends(first);
    assertThat(await(workflows.run(request)).id()).isNotEqualTo(first.id());
  }

  @Test
  void anInstanceThatRunsAgainHoldsItsUniqueKeyAgain() {
    put(Workflow.define("unique").step("a", "handler:hold", s -> s));
    StartRequest request =
        new StartRequest("unique", null, JSON.objectNode(), "order/8", 5, Map.of());
    Instance first = await(workflows.run(request));
    hasRun("a/1");
    held.get("a").fail("no");
    assertThat(ends(first).state()).isEqualTo(InstanceState.FAILED);

    Instance second = await(workflows.run(request));
    assertThat(second.id()).isNotEqualTo(first.id());
    for (Future<Instance> again :
        List.of(workflows.retry(first.id()), workflows.rerunFrom(first.id(), "a"))) {
      assertThatThrownBy(() -> await(again))
          .isInstanceOfSatisfying(
              WorkflowException.class,
              e -> assertThat(e.code()).isEqualTo(WorkflowException.Code.ILLEGAL_STATE))
          .hasMessageContaining("order/8")
          .hasMessageContaining(second.id());
    }
    assertThat(await(workflows.instance(first.id())).state()).isEqualTo(InstanceState.FAILED);
    await(workflows.cancel(second.id()));
    ends(second);

    ran.clear();
    assertThat(await(workflows.retry(first.id())).state()).isEqualTo(InstanceState.RUNNING);
    hasRun("a/2");
    StartedInstance other = await(workflows.submit(request));
    assertThat(other.existing()).isTrue();
    assertThat(other.instance().id()).isEqualTo(first.id());
    held.get("a").complete(JSON.textNode("end"));
    ends(first);
    assertThat(await(workflows.submit(request)).existing()).isFalse();
  }

  @Test
  void requestsWithOneKeyAtOnceAreOneNewInstance() {
    put(Workflow.define("unique").step("a", "handler:hold", s -> s));
    for (int round = 0; round < 5; round++) {
      StartRequest request =
          new StartRequest("unique", null, JSON.objectNode(), "at-once/" + round, 5, Map.of());
      List<Future<StartedInstance>> all = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        all.add(workflows.submit(request));
      }
      List<StartedInstance> started = await(Future.all(all).map(done -> done.list()));
      assertThat(started).filteredOn(each -> !each.existing()).hasSize(1);
      assertThat(started.stream().map(each -> each.instance().id()).distinct()).hasSize(1);
    }
  }

  @Test
  void anInputThatDoesNotMatchItsSchemaIsRefusedWithItsPlace() {
    put(
        Workflow.define("typed")
            .input(Map.of("properties", Map.of("n", Map.of("type", "integer", "minimum", 3))))
            .step("a", "handler:hold", s -> s));
    StartRequest wrong =
        new StartRequest("typed", null, JSON.objectNode().put("n", 1), "typed/1", 5, Map.of());
    assertThatThrownBy(() -> await(workflows.submit(wrong)))
        .isInstanceOfSatisfying(
            WorkflowException.class,
            e -> {
              assertThat(e.code()).isEqualTo(WorkflowException.Code.INVALID);
              assertThat(e.pointer()).isEqualTo("/input/n");
            });
    StartRequest right =
        new StartRequest("typed", null, JSON.objectNode().put("n", 3), "typed/1", 5, Map.of());
    assertThat(await(workflows.submit(right)).existing()).as("the key was released").isFalse();
    assertThat(await(workflows.starts().accept(Intake.of("typed", "typed", JSON.textNode("x")))))
        .isNotNull(); // any text matches: the schema says nothing of it
    put(Workflow.define("parent").step("child", "subworkflow:typed-child", s -> s));
    put(
        Workflow.define("typed-child")
            .input(Map.of("required", List.of("more")))
            .step("a", "handler:hold", s -> s));
    Instance parent = ends(run("parent"));
    assertThat(parent.state()).isEqualTo(InstanceState.FAILED);
    assertThat(parent.steps().get("child").reason())
        .contains("does not match its schema at /input");
  }

  @Test
  void aProcessIsAJobWhoseResultIsTheOutput() {
    put(
        Workflow.define("process")
            .step("a", "process", s -> s.command("sh", "-c", "exit 3"))
            .step(
                "b",
                "process",
                s ->
                    s.command(
                            "sh",
                            "-c",
                            "test \"$CALLBOARD_STEP\" = b && test -n \"$CALLBOARD_STEP_INPUT\"")
                        .after("a", EdgeCondition.FAILURE)));
    Instance ended = ends(run("process"));
    assertThat(ended.state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ended.steps().get("a").reason()).contains("exit code 3");
    String job = String.valueOf(ended.steps().get("b").child());
    assertThat(await(jobs.job(job)).uniqueKey()).isEqualTo("workflow/" + ended.id() + "/b/1");
  }

  @Test
  void aProcessThatSucceededIsUndoneByAnotherOne() throws Exception {
    Path directory = Files.createTempDirectory(Path.of("target"), "undone");
    Path file = directory.toAbsolutePath().resolve("reserved");
    put(
        Workflow.define("undone")
            .step(
                "reserve",
                "process",
                s ->
                    s.command("sh", "-c", "echo x >> " + file)
                        .compensate(
                            "process",
                            Map.of("command", List.of("mv", file.toString(), file + "-no"))))
            .step(
                "book",
                "handler:echo",
                s ->
                    s.after("reserve")
                        .with(Map.of("room", 7))
                        .compensate("subworkflow:cancelled", Map.of("why", "no")))
            .step("fail", "handler:fail", s -> s.after("book")));
    put(Workflow.define("cancelled").step("x", "handler:echo", s -> s));
    Instance ended = ends(run("undone"));
    assertThat(ended.state()).isEqualTo(InstanceState.FAILED);
    assertThat(ended.reason()).startsWith("step fail failed: ").endsWith(": no fail");
    StepView book = ended.steps().get("book");
    assertThat(book.compensation()).isEqualTo(StepState.SUCCEEDED);
    Instance cancelled = await(workflows.instance(String.valueOf(book.child())));
    assertThat(String.valueOf(cancelled.input().path("with"))).isEqualTo("{\"why\":\"no\"}");
    StepView reserve = ended.steps().get("reserve");
    assertThat(reserve.compensation()).isEqualTo(StepState.SUCCEEDED);
    assertThat(file).doesNotExist();
    assertThat(Path.of(file + "-no")).content().as("it ran once").isEqualTo("x\n");
    assertThat(await(jobs.job(String.valueOf(reserve.child()))).uniqueKey())
        .isEqualTo("workflow/" + ended.id() + "/reserve/2");
  }

  @Test
  void aStepThatWaitsForAJobNamesItAndSaysWhatThatWaitsFor() {
    await(jobs.pause("process"));
    put(Workflow.define("paused").step("a", "process", s -> s.command("true")));
    Instance instance = run("paused");
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.why(instance.id())).steps().get("a").text())
                .contains("type process is paused"));
    StepView waits = await(workflows.instance(instance.id())).steps().get("a");
    assertThat(waits.state()).isEqualTo(StepState.RUNNING);
    assertThat(await(jobs.job(String.valueOf(waits.child()))).uniqueKey())
        .isEqualTo("workflow/" + instance.id() + "/a/1");
    assertThat(await(workflows.why(instance.id())).steps().get("a").text())
        .startsWith("it waits for the job %s: ".formatted(waits.child()));
    await(jobs.resume("process"));
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aSubworkflowIsAnInstanceThatReportsToItsParent() {
    put(Workflow.define("child").step("x", "handler:echo", s -> s));
    put(
        Workflow.define("parent")
            .step("a", "subworkflow:child", s -> s)
            .step("b", "subworkflow:nothing", s -> s.allowFailure())
            .step("c", "handler:echo", s -> s.after("a")));
    Instance ended = ends(run("parent"));
    assertThat(ended.state()).isEqualTo(InstanceState.SUCCEEDED_WITH_WARNINGS);
    Instance child = await(workflows.instance(String.valueOf(ended.steps().get("a").child())));
    assertThat(child.parent()).isEqualTo(ended.id());
    assertThat(child.state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(String.valueOf(ended.steps().get("a").output())).startsWith("{\"x\":{\"input\":");
    assertThat(ended.steps().get("b").reason()).isEqualTo("there is no definition nothing");
  }

  @Test
  void aSubworkflowOverTheTimeoutOfItsStepFails() {
    put(Workflow.define("slow").step("x", "handler:hold", s -> s));
    put(
        Workflow.define("brief")
            .step("a", "subworkflow:slow", s -> s.timeout(Duration.ofMillis(300))));
    Instance ended = ends(run("brief"));
    assertThat(ended.steps().get("a").reason()).endsWith("it was over its timeout of PT0.3S");
  }

  @Test
  void aCancellationReachesTheSubworkflow() {
    put(Workflow.define("inner").step("x", "handler:hold", s -> s));
    put(Workflow.define("outer").step("a", "subworkflow:inner", s -> s));
    Instance instance = run("outer");
    String inner =
        String.valueOf(await(workflows.instance(instance.id())).steps().get("a").child());
    becomesStep(inner, "x", StepState.RUNNING);
    assertThat(await(workflows.why(instance.id())).steps().get("a").text()).contains(inner);
    assertThat(await(workflows.cancel(instance.id())).state()).isEqualTo(InstanceState.CANCELLING);
    assertThat(ends(instance).state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(ends(inner).state()).isEqualTo(InstanceState.CANCELLED);
  }

  @Test
  void listsShowInstancesOfAllStates() {
    put(Workflow.define("some").step("a", "handler:echo", s -> s));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(ends(run("some")).id());
    }
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.list(WorkflowQuery.newest(10))).items())
                .extracting(row -> row.id())
                .containsExactlyInAnyOrderElementsOf(ids));
    assertThat(await(workflows.list(WorkflowQuery.newest(2))).next()).isNotNull();
    assertThat(await(workflows.delete(ids.get(0))).id()).isEqualTo(ids.get(0));
    assertThatThrownBy(() -> await(workflows.instance(ids.get(0))))
        .isInstanceOf(WorkflowException.class);
  }

  @Test
  void anInstanceGoesOnWhereItWasOnAnotherNode() throws Exception {
    put(
        Workflow.define("moves")
            .step("a", "handler:echo", s -> s)
            .step("b", "handler:hold", s -> s.after("a")));
    Instance instance = run("moves");
    becomesStep(instance.id(), "b", StepState.RUNNING);
    hasRun("b/1");
    engine.close();
    nodes.close();
    open("n2");
    becomesStep(instance.id(), "b", StepState.RUNNING);
    hasRun("b/2");
    held.get("b").complete(JSON.textNode("end"));
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ran).containsExactly("a/1", "b/1", "b/2");
  }
}
