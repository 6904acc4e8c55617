package io.callboard.examples.documents;

import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import io.callboard.workflows.graph.EdgeCondition;
import java.time.Duration;

/**
 * The two workflows of the example in Java. {@code index-document.yaml} and {@code
 * report-library.yaml} beside it are their twins, with the same version: take whichever you like.
 */
final class DocumentWorkflows {
  /** Name of the workflow of one document. */
  static final String INDEX_DOCUMENT = "index-document";

  /** Name of the workflow of the report. */
  static final String REPORT_LIBRARY = "report-library";

  private DocumentWorkflows() {}

  /** Returns what happens to one document. */
  static CheckedDefinition indexDocument() {
    return Workflow.define(INDEX_DOCUMENT)
        .timeout(Duration.ofMinutes(10))
        .step("read", "handler:read@1", s -> s.timeout(seconds(30)).retry(retry(2, 200, 1_000)))
        .step(
            "clean",
            "handler:clean@1",
            s -> s.after("read").when("$.outputs.read.kind == 'HTML'").timeout(seconds(30)))
        .step("links", "handler:links@1", s -> s.after("clean").allowFailure())
        .step("language", "handler:language@1", DocumentWorkflows::afterCleaning)
        .step("entities", "handler:entities@1", DocumentWorkflows::afterCleaning)
        .step(
            "index",
            "handler:index@1",
            s ->
                s.after("language")
                    .after("entities")
                    .retry(retry(3, 500, 5_000))
                    .timeout(seconds(60)))
        .step(
            "announce",
            "handler:announce@1",
            s -> s.after("index").retry(retry(5, 500, 5_000)).timeout(seconds(10)))
        .step("quarantine", "handler:quarantine@1", s -> s.after("read", EdgeCondition.FAILURE))
        .last("cleanup", "handler:cleanup@1", s -> s)
        .build();
  }

  /** Returns what happens when all documents are settled. */
  static CheckedDefinition reportLibrary() {
    return Workflow.define(REPORT_LIBRARY)
        .step("count", "handler:count@1", s -> s)
        .step("write", "handler:write@1", s -> s.after("count").retry(retry(3, 1_000, 5_000)))
        .build();
  }

  /** Adds what both branches have: they wait for the cleaning, if there is one. */
  private static Workflow.Step afterCleaning(Workflow.Step step) {
    return step.after("read").after("clean", EdgeCondition.OK).timeout(seconds(30));
  }

  private static Duration seconds(int number) {
    return Duration.ofSeconds(number);
  }

  private static StepRetry retry(int attempts, int initialMs, int maxMs) {
    return new StepRetry(attempts, Duration.ofMillis(initialMs), Duration.ofMillis(maxMs));
  }
}
