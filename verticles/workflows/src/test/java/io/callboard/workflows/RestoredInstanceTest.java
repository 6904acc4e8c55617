package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.Callboard;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceChange;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances that an operator restores to an earlier event, while all that they asked goes on. */
class RestoredInstanceTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final List<String> ran = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final List<String> cancelled = new CopyOnWriteArrayList<>();
  private final Map<String, Promise<JsonNode>> held = new ConcurrentHashMap<>();
  private volatile boolean failing;
  private Callboard callboard;
  private OpenEngine engine;
  private Workflows workflows;

  @BeforeEach
  void start() throws Exception {
    callboard = nodes.open("n1");
    engine = OpenEngine.on(callboard);
    workflows = engine.workflows();
    workflows.workers().handle("echo", this::echo);
    workflows.workers().handle("hold", this::hold);
    workflows.workers().handle("fail", step -> Future.failedFuture("no " + step.step()));
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  private Future<JsonNode> echo(StepContext step) {
    ran.add(step.step() + "/" + step.run());
    keys.add(step.key());
    return failing ? Future.failedFuture("it fails") : Future.succeededFuture(step.with());
  }

  private Future<JsonNode> hold(StepContext step) {
    String run = step.step() + "/" + step.run();
    Promise<JsonNode> end = Promise.promise();
    held.put(run, end); // first: who sees that it ran may end it
    ran.add(run);
    step.cancelled()
        .onSuccess(
            v -> {
              cancelled.add(run);
              end.tryFail("told to end");
            });
    return end.future();
  }

  private Instance run(Workflow workflow) {
    String name = await(workflows.put(workflow.build().definition())).name();
    return await(workflows.run(StartRequest.of(name, JSON.objectNode())));
  }

  private void restore(Instance instance, long event) {
    await(callboard.admin().restore(InstanceActor.path(instance.id()), event, "as it was"));
  }

  private Instance now(Instance instance) {
    return await(workflows.instance(instance.id()));
  }

  private Instance ends(Instance instance) {
    Eventually.assertThat(
        () -> {
          Instance now = now(instance);
          assertThat(now.state().isEnded()).as(now.toString()).isTrue();
        });
    return now(instance);
  }

  private void hasRun(String run) {
    Eventually.isTrue(run + " has begun", () -> ran.contains(run));
  }

  /** Its events: created, a started, a ended, b started, b ended, ended. */
  private static Workflow line(String name) {
    return Workflow.define(name)
        .step("a", "handler:echo", s -> s)
        .step("b", "handler:echo", s -> s.after("a"));
  }

  @Test
  void aStepThatRanAtThatEventBeginsAnewUnderAFreshNumber() {
    Instance instance = ends(run(line("under-way")));
    restore(instance, 2);
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ran).containsExactly("a/1", "b/1", "a/7", "b/7");
    assertThat(keys).doesNotHaveDuplicates();
    assertThat(await(workflows.events(instance.id())))
        .extracting(InstanceChange::what)
        .contains("restored");
    restore(instance, 3); // once more: as it was between both steps
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ran).hasSize(5).doesNotHaveDuplicates();
    assertThat(keys).doesNotHaveDuplicates();
  }

  @Test
  void aStepThatHadNotBegunAtThatEventBeginsUnderAFreshNumber() {
    Instance instance = ends(run(line("before")));
    restore(instance, 3);
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ran).containsExactly("a/1", "b/1", "b/7");
    assertThat(keys).doesNotHaveDuplicates();
    restore(instance, 1);
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ran).hasSize(5);
    assertThat(keys).doesNotHaveDuplicates();
  }

  @Test
  void aRunThatGoesOnIsEndedBeforeTheStepBeginsAnewAndItsEndDoesNotCount() {
    Instance instance = run(Workflow.define("held").step("a", "handler:hold", s -> s));
    hasRun("a/1");
    restore(instance, 2);
    hasRun("a/3");
    assertThat(cancelled).containsExactly("a/1");
    assertThat(now(instance).state()).isEqualTo(InstanceState.RUNNING);
    held.get("a/3").complete(JSON.textNode("second"));
    assertThat(ends(instance).steps().get("a").output()).isEqualTo(JSON.textNode("second"));
  }

  @Test
  void anInstanceThatIsCancelledRightAfterwardsEnds() {
    Instance instance = run(Workflow.define("cancelled").step("a", "handler:hold", s -> s));
    hasRun("a/1");
    restore(instance, 2);
    assertThat(await(workflows.cancel(instance.id())).state()).isEqualTo(InstanceState.CANCELLING);
    assertThat(ends(instance).state()).isEqualTo(InstanceState.CANCELLED);
    restore(instance, 5); // it was being cancelled, and nothing of it runs
    assertThat(ends(instance).state()).isEqualTo(InstanceState.CANCELLED);
  }

  @Test
  void aProcessRunsAgainAsAnotherJob() {
    Instance instance =
        ends(run(Workflow.define("process").step("p", "process", s -> s.command("true"))));
    String job = instance.steps().get("p").child();
    restore(instance, 2);
    Instance again = ends(instance);
    assertThat(again.state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(again.steps().get("p").child()).isNotNull().isNotEqualTo(job);
    restore(instance, 1);
    assertThat(ends(instance).steps().get("p").child())
        .isNotNull()
        .isNotEqualTo(again.steps().get("p").child())
        .isNotEqualTo(job);
  }

  @Test
  void aSubWorkflowRunsAgainAsAnotherInstanceAndTheEarlierOneIsCancelled() {
    await(
        workflows.put(
            Workflow.define("child").step("c", "handler:hold", s -> s).build().definition()));
    Instance instance = run(Workflow.define("parent").step("s", "subworkflow:child", s -> s));
    hasRun("c/1");
    String first = now(instance).steps().get("s").child();
    ran.clear();
    restore(instance, 2);
    hasRun("c/1");
    String second = now(instance).steps().get("s").child();
    assertThat(second).isNotNull().isNotEqualTo(first);
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.instance(first)).state())
                .isEqualTo(InstanceState.CANCELLED));
    assertThat(now(instance).state()).isEqualTo(InstanceState.RUNNING);
    held.get("c/1").complete(JSON.textNode("second"));
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
    ran.clear();
    restore(instance, 2); // to one that has ended
    hasRun("c/1");
    held.get("c/1").complete(JSON.textNode("third"));
    assertThat(ends(instance).steps().get("s").child()).isNotEqualTo(second).isNotEqualTo(first);
  }

  /** Its events: created, a started, a ended, b started, b ended, undo, a started, a ended, end. */
  @Test
  void aCompensationRunsAgain() {
    Instance instance =
        ends(
            run(
                Workflow.define("undone")
                    .step("a", "handler:echo", s -> s.compensate("handler:echo"))
                    .step("b", "handler:fail", s -> s.after("a"))));
    assertThat(ran).containsExactly("a/1", "a/2");
    restore(instance, 7); // the compensation is under way
    Instance again = ends(instance);
    assertThat(again.state()).isEqualTo(InstanceState.FAILED);
    assertThat(again.steps().get("a").compensation()).isEqualTo(StepState.SUCCEEDED);
    assertThat(ran).containsExactly("a/1", "a/2", "a/10");
    restore(instance, 6); // it has not begun
    assertThat(ends(instance).steps().get("a").compensation()).isEqualTo(StepState.SUCCEEDED);
    assertThat(ran).hasSize(4);
    assertThat(keys).doesNotHaveDuplicates();
  }

  /** Its events: created, a started, a is retried, a started, a ended, ended. */
  @Test
  void aStepThatWaitedForItsNextAttemptMakesIt() {
    failing = true;
    Instance instance =
        ends(
            run(
                Workflow.define("retried")
                    .step(
                        "a",
                        "handler:echo",
                        s ->
                            s.retry(
                                new StepRetry(2, Duration.ofMillis(10), Duration.ofMillis(20))))));
    assertThat(instance.state()).isEqualTo(InstanceState.FAILED);
    failing = false;
    restore(instance, 3);
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ran).containsExactly("a/1", "a/2", "a/7");
  }

  @Test
  void theTimeoutOfTheInstanceCountsAnew() {
    Duration timeout = Duration.ofSeconds(2);
    Workflow workflow = Workflow.define("timed").timeout(timeout).step("a", "handler:hold", s -> s);
    Instance instance = run(workflow);
    hasRun("a/1");
    held.get("a/1").complete(JSON.textNode("end"));
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
    restore(instance, 2);
    hasRun("a/5");
    Instance ended = ends(instance);
    assertThat(ended.reason()).isEqualTo("it was over its timeout of PT2S");
    restore(instance, 2);
    Eventually.isTrue("it has begun", () -> held.size() == 3);
    assertThat(now(instance).state()).isEqualTo(InstanceState.RUNNING);
  }

  @Test
  void listsShowTheRestoredState() {
    Instance instance = run(Workflow.define("listed").step("a", "handler:hold", s -> s));
    hasRun("a/1");
    held.get("a/1").complete(JSON.textNode("end"));
    ends(instance);
    restore(instance, 2);
    hasRun("a/5");
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.list(WorkflowQuery.newest(10))).items())
                .extracting(InstanceRow::state)
                .containsExactly(InstanceState.RUNNING));
  }

  @Test
  void anInstanceIsNotRestoredToBeforeItsCreation() {
    Instance instance = run(Workflow.define("created").step("a", "handler:hold", s -> s));
    hasRun("a/1");
    assertThatThrownBy(() -> restore(instance, 0))
        .hasMessageContaining("restore it to event 1 or a later one, or delete it");
    assertThat(now(instance).state()).isEqualTo(InstanceState.RUNNING);
    held.get("a/1").complete(JSON.textNode("end"));
    assertThat(ends(instance).steps().get("a").output()).isEqualTo(JSON.textNode("end"));
  }
}
