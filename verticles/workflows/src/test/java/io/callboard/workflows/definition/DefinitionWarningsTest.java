package io.callboard.workflows.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.workflows.graph.EdgeCondition;
import io.callboard.workflows.graph.GraphDefect;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class DefinitionWarningsTest {
  private static List<String> texts(List<GraphDefect> warnings) {
    return warnings.stream().map(GraphDefect::toString).toList();
  }

  private static CheckedDefinition workers() {
    return Workflow.define("x")
        .step("a", "handler:ocr@2", s -> s)
        .step("b", "handler:ocr@2", s -> s)
        .step("c", "handler:text", s -> s.compensate("handler:forget"))
        .step("d", "http", s -> s.with(new Request("http://localhost/")))
        .step("e", "process", s -> s.command("true"))
        .last("f", "subworkflow:y", s -> s)
        .build();
  }

  /** Parameters of a request. */
  record Request(String url) {}

  @Test
  void typeThatNoWorkerOffersIsReportedOnce() {
    assertThat(
            texts(DefinitionWarnings.notOffered(workers(), List.of("ocr@1", "ocr@3", "forget@1"))))
        .containsExactly(
            "WF007 at /steps/a/run: no worker offers ocr@2, so a will wait for one; workers offer ocr@1, ocr@3",
            "WF007 at /steps/c/run: no worker offers text, so c will wait for one; start a worker that does",
            "WF007 at /steps/d/run: no worker offers http, so d will wait for one; start a worker that does");
  }

  /** It is what undoes the step that waits, not the step. */
  @Test
  void aCompensationThatNoWorkerOffersIsNamed() {
    assertThat(texts(DefinitionWarnings.notOffered(workers(), List.of("ocr@2", "text", "http"))))
        .containsExactly(
            "WF007 at /steps/c/compensate: no worker offers forget, so what undoes c will wait for one; start a worker that does");
  }

  @Test
  void aTypeOfJobsThatTheCellDoesNotHaveIsReportedOnce() {
    CheckedDefinition jobs =
        Workflow.define("jobs")
            .step("a", "job", s -> s.job("reprot", Map.of()))
            .step("b", "job", s -> s.job("reprot", Map.of()))
            .step("c", "job", s -> s.job("report", Map.of()).compensate("job", typed("undo")))
            .step("d", "process", s -> s.command("true"))
            .step("e", "process", s -> s.with(new Command(List.of("true"), "etl")))
            .step("f", "handler:type", s -> s.with(typed("no job")))
            .build();
    assertThat(DefinitionWarnings.jobTypes(jobs))
        .containsExactlyInAnyOrder("reprot", "report", "undo", "process", "etl");
    assertThat(texts(DefinitionWarnings.withoutType(jobs, List.of("process", "report"))))
        .containsExactly(
            "WF007 at /steps/a/with/type: no node has made the job type \"reprot\", so a will wait a day for it at most; did you mean \"report\"?",
            "WF007 at /steps/c/with/compensate/type: no node has made the job type \"undo\", so what undoes c will wait a day for it at most; there are process, report",
            "WF007 at /steps/e/with/type: no node has made the job type \"etl\", so e will fail; there are process, report");
  }

  /** One waits for it, the other fails. */
  @Test
  void aTypeThatStepsOfBothKindsLackIsReportedForEach() {
    CheckedDefinition both =
        Workflow.define("both")
            .step("a", "job", s -> s.job("etl", Map.of()))
            .step("b", "process", s -> s.with(new Command(List.of("true"), "etl")))
            .step("c", "job", s -> s.job("etl", Map.of()))
            .step("d", "process", s -> s.with(new Command(List.of("true"), "etl")))
            .build();
    assertThat(texts(DefinitionWarnings.withoutType(both, List.of("process"))))
        .containsExactly(
            "WF007 at /steps/a/with/type: no node has made the job type \"etl\", so a will wait a day for it at most; there are process",
            "WF007 at /steps/b/with/type: no node has made the job type \"etl\", so b will fail; there are process");
  }

  @Test
  void aDefinitionWithoutJobsNeedsNoTypeOfJobs() {
    CheckedDefinition none = Workflow.define("none").step("a", "handler:x", s -> s).build();
    assertThat(DefinitionWarnings.jobTypes(none)).isEmpty();
    assertThat(DefinitionWarnings.withoutType(none, List.of())).isEmpty();
  }

  private static Map<String, Object> typed(String type) {
    return Map.of("type", type, "args", Map.of());
  }

  /** Parameters of a process. */
  record Command(List<String> command, String type) {}

  @Test
  void anyMajorVersionWillDoForAStepThatAsksForNone() {
    assertThat(
            DefinitionWarnings.notOffered(workers(), List.of("ocr@2", "text@7", "http", "forget")))
        .isEmpty();
  }

  private static List<String> conflicts(String one, String other, UnaryOperator<Workflow.Step> d) {
    return texts(
        DefinitionWarnings.mergeConflicts(
            Workflow.define("x")
                .step("a", "handler:a", s -> s)
                .step("b", one, s -> s.after("a"))
                .step("c", other, s -> s.after("a"))
                .step("d", "handler:d", d)
                .build()));
  }

  @Test
  void sourcesThatRunTheSameConflict() {
    assertThat(
            conflicts(
                "handler:x", "handler:x", s -> s.after("b").after("c").merge(MergeRule.DISJOINT)))
        .containsExactly(
            "WF008 at /steps/d/merge: b and c both run handler:x: if their outputs have a field in common, d fails; use merge: topo, or read the outputs by their steps");
  }

  @Test
  void conflictOfRequestsIsKnownWithItsPlace() {
    CheckedDefinition definition =
        Workflow.define("x")
            .step("a", "http", s -> s.with(new Request("http://localhost/a")))
            .step("b", "http", s -> s.with(new Request("http://localhost/b")))
            .step("c", "handler:c", s -> s.after("a").after("b").merge(MergeRule.DISJOINT))
            .build();
    assertThat(texts(DefinitionWarnings.mergeConflicts(definition)))
        .containsExactly(
            "WF008 at /steps/c/merge: a and b both run http: their outputs both have a value at /status, so c fails; use merge: topo, or read the outputs by their steps");
  }

  @Test
  void mergesWithoutAKnownConflictGetNoWarning() {
    UnaryOperator<Workflow.Step> both = s -> s.after("b").after("c");
    assertThat(conflicts("handler:x", "handler:y", s -> both.apply(s).merge(MergeRule.DISJOINT)))
        .isEmpty();
    assertThat(conflicts("handler:x", "handler:x", s -> both.apply(s).merge(MergeRule.TOPO)))
        .isEmpty();
    assertThat(conflicts("handler:x", "handler:x", both)).isEmpty();
    assertThat(
            conflicts(
                "handler:x", "handler:x", s -> both.apply(s).joinAny().merge(MergeRule.DISJOINT)))
        .isEmpty();
    assertThat(
            conflicts(
                "handler:x",
                "handler:x",
                s -> s.after("b").after("c", EdgeCondition.FAILURE).merge(MergeRule.DISJOINT)))
        .isEmpty();
  }

  @Test
  void branchesOfWhichOneAloneSucceedsDoNotConflict() {
    CheckedDefinition definition =
        Workflow.define("x")
            .step("a", "handler:a", s -> s)
            .step("b", "handler:x", s -> s.after("a"))
            .step("c", "handler:mend", s -> s.after("a", EdgeCondition.FAILURE))
            .step("c2", "handler:x", s -> s.after("c"))
            .step(
                "d",
                "handler:d",
                s ->
                    s.after("b", EdgeCondition.OK)
                        .after("c2", EdgeCondition.OK)
                        .merge(MergeRule.DISJOINT))
            .build();
    assertThat(DefinitionWarnings.mergeConflicts(definition)).isEmpty();
  }
}
