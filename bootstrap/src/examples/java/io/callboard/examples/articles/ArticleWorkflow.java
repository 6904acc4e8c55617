package io.callboard.examples.articles;

import io.callboard.workflows.definition.CheckedDefinition;
import io.callboard.workflows.definition.StepRetry;
import io.callboard.workflows.definition.Workflow;
import java.time.Duration;

/** Workflow of one article. */
final class ArticleWorkflow {
  /** Name of the workflow. */
  static final String NAME = "index-article";

  private static final StepRetry RETRY =
      new StepRetry(5, Duration.ofMillis(200), Duration.ofSeconds(5));

  private ArticleWorkflow() {}

  static CheckedDefinition definition() {
    return Workflow.define(NAME)
        .timeout(Duration.ofMinutes(10))
        .step("fetch", "handler:fetch@1", s -> s.timeout(Duration.ofSeconds(30)).retry(RETRY))
        .step("extract", "handler:extract@1", s -> s.after("fetch"))
        .step("annotate", "handler:annotate@1", s -> s.after("extract"))
        .step("index", "handler:index-article@1", s -> s.after("annotate").retry(RETRY))
        .step("print", "handler:print@1", s -> s.after("index"))
        .last("cleanup", "handler:clear@1", s -> s)
        .build();
  }
}
