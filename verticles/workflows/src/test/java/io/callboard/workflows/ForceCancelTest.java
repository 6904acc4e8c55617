package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.Submission;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.InstanceState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cancellations with force of instances that are real actors, whose last steps hang. */
class ForceCancelTest extends WorkflowsOfOneNode {
  private final List<String> ran = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    open("n1");
  }

  private void open(String name) throws Exception {
    serve(OpenEngine.on(nodes.open(name)));
  }

  private void serve(OpenEngine opened) {
    use(opened);
    workflows.workers().handle("echo", step -> Future.succeededFuture(step.input()));
    workflows.workers().handle("fail", step -> Future.failedFuture("no " + step.step()));
    workflows.workers().handle("hang", this::hang);
  }

  /** Never answers, unless it is told to end. */
  private Future<JsonNode> hang(StepContext step) {
    Promise<JsonNode> end = Promise.promise();
    step.cancelled().onSuccess(v -> end.tryFail("told to end"));
    ran.add(step.step() + "/" + step.run());
    return end.future();
  }

  private Instance run(Workflow workflow) {
    String name = await(workflows.put(workflow.build().definition())).definition().name();
    return await(
        workflows.run(StartRequest.of(name, JsonNodeFactory.instance.objectNode().put("n", 1))));
  }

  private void hasRun(String run) {
    Eventually.isTrue(run + " has begun", () -> ran.contains(run));
  }

  @Test
  void aFinallyStepThatNeverAnswersIsEndedByForceAlone() {
    Instance instance =
        run(
            Workflow.define("cleaned")
                .step("a", "handler:echo", s -> s)
                .last("z", "handler:hang", s -> s));
    hasRun("z/1");
    assertThat(await(workflows.cancel(instance.id())).state()).isEqualTo(InstanceState.CANCELLING);
    assertThat(await(workflows.why(instance.id())).summary()).contains("cancellation with force");
    assertThat(await(workflows.cancel(instance.id())).state()).isEqualTo(InstanceState.CANCELLING);
    assertThatThrownBy(() -> await(workflows.forceCancel(instance.id(), " ")))
        .hasMessageContaining("is empty");
    Instance forced = await(workflows.forceCancel(instance.id(), "ann"));
    assertThat(forced.state()).isIn(InstanceState.CANCELLING, InstanceState.CANCELLED);
    Instance ended = ends(instance.id());
    assertThat(ended.state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(ended.steps().get("z").state()).isEqualTo(StepState.CANCELLED);
    assertThat(ended.reason())
        .isEqualTo("it was cancelled; by force of ann; finally did not complete: z");
    assertThat(await(workflows.events(instance.id())))
        .extracting(InstanceChange::what)
        .containsSubsequence("cancelling", "cancelling by force", "cancelled");
    assertThat(await(workflows.forceCancel(instance.id(), "bob")).reason())
        .as("the usual answer")
        .isEqualTo(ended.reason());
  }

  @Test
  void aCompensationThatNeverAnswersIsEndedByForceAlsoOnAnotherNode() throws Exception {
    Instance instance =
        run(
            Workflow.define("undone")
                .step("a", "handler:echo", s -> s.compensate("handler:hang"))
                .step("b", "handler:fail", s -> s.after("a")));
    hasRun("a/2");
    assertThatThrownBy(() -> await(workflows.cancel(instance.id())))
        .hasMessageContaining("a cancellation with force ends it");
    engine.close();
    nodes.close();
    open("n2");
    hasRun("a/3");
    assertThat(await(workflows.forceCancel(instance.id(), "ann")).id()).isEqualTo(instance.id());
    Instance ended = ends(instance.id());
    assertThat(ended.state()).isEqualTo(InstanceState.FAILED);
    assertThat(ended.steps().get("a").compensation()).isEqualTo(StepState.CANCELLED);
    assertThat(ended.reason()).endsWith("; by force of ann; not compensated: a");
    assertThat(await(workflows.forceCancel(instance.id(), "ann")).reason())
        .as("the answer to the same request, sent again")
        .isEqualTo(ended.reason());
  }

  @Test
  void forceReachesASubWorkflowThatWasCancelledAndHangs() {
    String inner = "inner";
    assertThat(
            await(
                    workflows.put(
                        Workflow.define(inner)
                            .step("x", "handler:echo", s -> s)
                            .last("z", "handler:hang", s -> s)
                            .build()
                            .definition()))
                .isNew())
        .isTrue();
    Instance instance = run(Workflow.define("outer").step("a", "subworkflow:" + inner, s -> s));
    hasRun("z/1");
    String child =
        String.valueOf(await(workflows.instance(instance.id())).steps().get("a").child());
    assertThat(await(workflows.cancel(instance.id())).state()).isEqualTo(InstanceState.CANCELLING);
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.instance(child)).state())
                .isEqualTo(InstanceState.CANCELLING));
    assertThat(await(workflows.why(instance.id())).steps().get("a").text()).endsWith(child);
    assertThat(await(workflows.forceCancel(instance.id(), "ann")).id()).isEqualTo(instance.id());
    assertThat(ends(instance.id()).state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(ends(child).reason()).endsWith("by force of ann; finally did not complete: z");
  }

  /** The actor of its sub-workflow was stopped by an operator: nothing is heard of it. */
  @Test
  void aStepThatNeverAnswersIsGivenUp() throws Exception {
    engine.close();
    nodes.close();
    ManualTime time = new ManualTime();
    Callboard callboard = nodes.open("n2", options -> options.time(time));
    serve(OpenEngine.on(callboard));
    assertThat(
            await(
                    workflows.put(
                        Workflow.define("silent")
                            .step("x", "handler:hang", s -> s)
                            .build()
                            .definition()))
                .isNew())
        .isTrue();
    Instance instance = run(Workflow.define("outer").step("a", "subworkflow:silent", s -> s));
    inTime(time, () -> assertThat(ran).contains("x/1"));
    String child =
        String.valueOf(await(workflows.instance(instance.id())).steps().get("a").child());
    await(callboard.admin().suspend(InstanceActor.path(child)));
    assertThat(await(workflows.forceCancel(instance.id(), "ann")).state())
        .isEqualTo(InstanceState.CANCELLING);
    assertThat(await(workflows.why(instance.id())).summary()).contains("then it ends without");
    inTime(
        time,
        () ->
            assertThat(await(workflows.instance(instance.id())).state())
                .isEqualTo(InstanceState.CANCELLED));
    assertThat(await(workflows.instance(instance.id())).reason())
        .isEqualTo("it was cancelled; by force of ann; did not end: a");
    assertThat(await(workflows.events(instance.id())))
        .extracting(change -> String.valueOf(change.detail()))
        .anyMatch(detail -> detail.contains("whether the instance " + child + " still runs"));
  }

  /** Advances the time in steps until an assertion holds. */
  private static void inTime(ManualTime time, Runnable assertion) {
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(2));
          assertion.run();
        });
  }

  @Test
  void aJobOfAFinallyStepIsCancelled() {
    Instance instance =
        run(
            Workflow.define("job")
                .step("a", "handler:echo", s -> s)
                .last("z", "process", s -> s.command("sleep", "600")));
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.instance(instance.id())).steps().get("z").child())
                .isNotNull());
    assertThat(await(workflows.forceCancel(instance.id(), "ann")).id()).isEqualTo(instance.id());
    Instance ended = ends(instance.id());
    assertThat(ended.state()).isEqualTo(InstanceState.CANCELLED);
    assertThat(ended.steps().get("z").state()).isEqualTo(StepState.CANCELLED);
  }

  @Test
  void aJobThatTheFullQueueRefusesKeepsNoInstanceThatIsCancelled() throws Exception {
    engine.close();
    nodes.close();
    serve(OpenEngine.on(nodes.open("n2"), 0, 2));
    for (int i = 0; i < 2; i++) {
      Submission waits = await(jobs.submit(JobSpec.process("process", List.of("true")), "k" + i));
      assertThat(waits.existing()).isFalse();
    }
    Instance instance =
        run(
            Workflow.define("refused")
                .step("a", "handler:echo", s -> s)
                .last("z", "process", s -> s.command("true")));
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.why(instance.id())).steps().get("z").text())
                .contains("2 jobs are waiting already"));
    assertThat(await(workflows.forceCancel(instance.id(), "ann")).id()).isEqualTo(instance.id());
    assertThat(ends(instance.id()).state()).isEqualTo(InstanceState.CANCELLED);
  }
}
