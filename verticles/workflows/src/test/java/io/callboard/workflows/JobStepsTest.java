package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.Json;
import io.callboard.jobs.handler.PermanentJobException;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.testkit.Eventually;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.QueueView;
import io.callboard.workflows.model.StepView;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Steps that are jobs of handlers, on one node with its real jobs. */
class JobStepsTest extends WorkflowsOfOneNode {
  private final List<Report> reports = new CopyOnWriteArrayList<>();

  record Report(String customer, int year) {}

  record Pages(int written) {}

  @BeforeEach
  void start() throws Exception {
    engine("n1");
  }

  private static Map<String, Object> report(Object customer, Object year) {
    return Map.of("type", "report", "args", Map.of("customer", customer, "year", year));
  }

  private Instance run(Workflow workflow) {
    await(workflows.put(workflow.build().definition()));
    JsonNode input =
        JsonNodeFactory.instance.objectNode().put("customer", "acme").put("year", 2026);
    return await(workflows.run(StartRequest.of("w", input)));
  }

  /** Returns the job of the only step that has one, once it is in that state. */
  private Job jobOf(Instance instance, String step, JobState state) {
    Eventually.assertThat(
        () -> {
          StepView its = await(workflows.instance(instance.id())).steps().get(step);
          assertThat(its.child()).as(its.toString()).isNotNull();
          assertThat(await(jobs.job(its.child())).state()).isEqualTo(state);
        });
    return await(jobs.job(await(workflows.instance(instance.id())).steps().get(step).child()));
  }

  private void writesReports() {
    await(
        jobs.handle(
            "report",
            Report.class,
            job -> {
              reports.add(job.args());
              return new Pages(job.args().year() - 2000);
            }));
  }

  @Test
  void aHandlerGetsArgumentsOfInputAndEarlierOutputsAndItsResultIsTheOutput() {
    writesReports();
    workflows
        .workers()
        .handle("year", step -> Future.succeededFuture(Json.tree(Map.of("last", 2025))));
    Instance ended =
        ends(
            run(
                Workflow.define("w")
                    .step("year", "handler:year", s -> s)
                    .step(
                        "write",
                        "job",
                        s ->
                            s.job(
                                    "report",
                                    Map.of(
                                        "customer",
                                        "${/input/customer}",
                                        "year",
                                        "${/outputs/year/last}"))
                                .after("year"))));
    assertThat(ended.state()).as(ended.toString()).isEqualTo(InstanceState.SUCCEEDED);
    StepView step = ended.steps().get("write");
    assertThat(step.output()).hasToString("{\"written\":25}");
    assertThat(reports).containsExactly(new Report("acme", 2025));
    Job job = await(jobs.job(step.child()));
    assertThat(job.type()).isEqualTo("report");
    assertThat(job.args()).isEqualTo(Json.tree(new Report("acme", 2025)));
    assertThat(job.labels()).isEqualTo(Map.of("workflow", "w", "step", "write"));
  }

  @Test
  void aStepWaitsForTheFirstNodeWithItsHandler() {
    Workflow workflow =
        Workflow.define("w")
            .step("write", "job", s -> s.job("report", Map.of("customer", "acme", "year", 2026)));
    Instance instance = run(workflow);
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.why(instance.id())).toString())
                .contains("refused for now: there is no job type \"report\""));
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.workers().ofCell()).queues())
                .as("for those who look after the cell")
                .extracting(QueueView::definition, QueueView::type, QueueView::waiting)
                .containsExactly(tuple("w", "job:report", 1)));
    writesReports();
    assertThat(ends(instance).state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void theKeyOfTheStepIsTheSameInEachAttempt() {
    List<String> keys = new CopyOnWriteArrayList<>();
    await(
        jobs.handle(
            "report",
            Report.class,
            job -> {
              keys.add(job.args().customer());
              if (keys.size() == 1) {
                throw new IOException("busy");
              }
              return null;
            }));
    Instance ended =
        ends(
            run(
                Workflow.define("w")
                    .step(
                        "a",
                        "job",
                        s ->
                            s.with(report("${/key}", 1))
                                .retry(
                                    new StepRetry(
                                        3, Duration.ofMillis(1), Duration.ofMillis(1))))));
    assertThat(ended.state()).as(ended.toString()).isEqualTo(InstanceState.SUCCEEDED);
    assertThat(ended.steps().get("a").attempts()).isEqualTo(2);
    assertThat(keys).containsExactly(ended.id() + "/a", ended.id() + "/a");
  }

  @Test
  void argumentsThatDoNotFitFailTheStepForGoodWithTheirPlace() {
    writesReports();
    Instance ended =
        ends(
            run(
                Workflow.define("w")
                    .step("a", "job", s -> s.with(report("acme", "soon")).attempts(5))));
    StepView step = ended.steps().get("a");
    assertThat(step.state()).isEqualTo(StepState.FAILED);
    assertThat(step.attempts()).isEqualTo(1);
    assertThat(step.reason())
        .startsWith("its job was refused at /args/year: the arguments of handler \"report\"");
  }

  @Test
  void aPlaceWithoutAValueFailsTheStepForGood() {
    writesReports();
    Instance ended =
        ends(
            run(
                Workflow.define("w")
                    .step("a", "job", s -> s.with(report("${/input/name}", 1)).attempts(5))));
    StepView step = ended.steps().get("a");
    assertThat(step.attempts()).isEqualTo(1);
    assertThat(step.reason())
        .isEqualTo("there is nothing at /input/name, which /args/customer needs");
    assertThat(reports).isEmpty();
  }

  @Test
  void argsMayBeTheInputIfThatIsAnObject() {
    writesReports();
    Workflow workflow =
        Workflow.define("w")
            .step("a", "job", s -> s.with(Map.of("type", "report", "args", "${/input}")));
    assertThat(ends(run(workflow)).steps().get("a").output()).hasToString("{\"written\":26}");
    Instance ended = ends(await(workflows.run(StartRequest.of("w", Json.tree("all")))));
    assertThat(ended.steps().get("a").reason()).isEqualTo("\"${/input}\" gives no object");
  }

  @Test
  void aFailureForGoodIsNotRetried() {
    await(
        jobs.handle(
            "report",
            Report.class,
            job -> {
              throw new PermanentJobException("there is no such customer");
            }));
    Instance ended =
        ends(run(Workflow.define("w").step("a", "job", s -> s.with(report("b", 1)).attempts(5))));
    StepView step = ended.steps().get("a");
    assertThat(step.state()).isEqualTo(StepState.FAILED);
    assertThat(step.attempts()).isEqualTo(1);
    assertThat(step.reason()).endsWith("failed: run 1 failed: there is no such customer");
  }

  @Test
  void aCancelledInstanceCancelsTheHandler() {
    await(jobs.handle("report", Report.class, job -> job.cancelled().map("told to end")));
    Instance running = run(Workflow.define("w").step("a", "job", s -> s.with(report("b", 1))));
    Job job = jobOf(running, "a", JobState.RUNNING);
    await(workflows.cancel(running.id()));
    assertThat(ends(running).steps().get("a").state()).isEqualTo(StepState.CANCELLED);
    assertThat(await(jobs.job(job.id())).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void theTimeoutOfAStepEndsTheHandler() {
    await(jobs.handle("report", Report.class, job -> job.cancelled().map("told to end")));
    Instance ended =
        ends(
            run(
                Workflow.define("w")
                    .step("a", "job", s -> s.with(report("b", 1)).timeout(Duration.ofMillis(50)))));
    assertThat(ended.steps().get("a").reason()).contains("its run timeout of PT0.05S has elapsed");
  }

  @Test
  void aHandlerUndoesAStepWithArgumentsOfItsOwn() {
    writesReports();
    workflows.workers().handle("fail", step -> Future.failedFuture("no"));
    Instance ended =
        ends(
            run(
                Workflow.define("w")
                    .step(
                        "a",
                        "job",
                        s ->
                            s.with(report("do", 2001))
                                .compensate("job", report("undo", "${/outputs/a/written}")))
                    .step("b", "handler:fail", s -> s.after("a"))));
    assertThat(ended.state()).isEqualTo(InstanceState.FAILED);
    assertThat(ended.steps().get("a").compensation())
        .as(ended.toString())
        .isEqualTo(StepState.SUCCEEDED);
    assertThat(reports).containsExactly(new Report("do", 2001), new Report("undo", 1));
  }

  @Test
  void whySaysThatNoNodeOffersTheHandler() {
    JobType unused = await(jobs.putType(JobType.ofHandler("report")));
    Instance waits = run(Workflow.define("w").step("a", "job", s -> s.with(report("b", 1))));
    Eventually.assertThat(
        () ->
            assertThat(await(workflows.why(waits.id())).steps().get("a").text())
                .contains("no host offers the handler \"report\""));
    await(jobs.handle("report", Report.class, job -> "done"));
    assertThat(ends(waits).state()).isEqualTo(InstanceState.SUCCEEDED);
  }

  @Test
  void aJobOfAProcessNeedsACommand() {
    Instance ended =
        ends(
            run(
                Workflow.define("w")
                    .step("a", "job", s -> s.with(Map.of("type", "process")).attempts(3))));
    assertThat(ended.steps().get("a").reason())
        .isEqualTo(
            "its job was refused at /args: the jobs of type process are processes, which have no args: give a command");
    assertThat(ended.steps().get("a").attempts()).isEqualTo(1);
  }
}
