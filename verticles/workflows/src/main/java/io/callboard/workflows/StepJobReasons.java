package io.callboard.workflows;

import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobWhy;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.StepView;
import io.callboard.workflows.model.WorkflowWhy;
import io.callboard.workflows.model.WorkflowWhy.StepWhy;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reasons of the job scheduler for the jobs that steps wait for. */
final class StepJobReasons {
  /** Maximum number of jobs that are asked about for one instance; the others are only named. */
  static final int MOST_JOBS = 5;

  /** Time that a caller waits for what the scheduler knows, in milliseconds. */
  private static final long WITHIN_MS = 2_000;

  private static final String KIND = "job";
  private static final int MOST_REASONS = 3;

  private final Jobs jobs;

  StepJobReasons(Jobs jobs) {
    this.jobs = jobs;
  }

  /**
   * Completes with the reasons, with what the jobs of steps are waiting for.
   *
   * @param look reads the instance, whose steps have the ids of their jobs
   */
  Future<WorkflowWhy> of(WorkflowWhy why, Supplier<Future<Instance>> look) {
    return why.steps().values().stream().anyMatch(step -> step.kind().equals(KIND))
        ? look.get()
            .timeout(WITHIN_MS, TimeUnit.MILLISECONDS)
            .compose(instance -> of(why, instance))
            .otherwise(why) // the scheduler knows more, but need not answer
        : Future.succeededFuture(why);
  }

  private Future<WorkflowWhy> of(WorkflowWhy why, Instance instance) {
    List<Future<Map.Entry<String, StepWhy>>> asked = new ArrayList<>();
    for (Map.Entry<String, StepWhy> each : why.steps().entrySet()) {
      String job = job(instance.steps().get(each.getKey()), each.getValue());
      if (job != null && asked.size() < MOST_JOBS) {
        asked.add(of(each.getValue(), job).map(known -> Map.entry(each.getKey(), known)));
      }
    }
    return Future.join(asked)
        .map(
            all -> {
              Map<String, StepWhy> steps = new LinkedHashMap<>(why.steps());
              all.<Map.Entry<String, StepWhy>>list()
                  .forEach(each -> steps.put(each.getKey(), each.getValue()));
              return why.with(steps);
            });
  }

  /** Returns the job that a step waits for; null for none, or if it has gone on meanwhile. */
  private static @Nullable String job(@Nullable StepView step, StepWhy why) {
    String child = step == null ? null : step.child();
    return child != null && why.kind().equals(KIND) && why.text().contains(child) ? child : null;
  }

  private Future<StepWhy> of(StepWhy known, String job) {
    return jobs.explain(job)
        .timeout(WITHIN_MS, TimeUnit.MILLISECONDS)
        .map(StepJobReasons::text)
        .otherwise(cause -> ", of which the scheduler says nothing now: " + cause.getMessage())
        .map(text -> new StepWhy(KIND, known.text() + text, known.until()));
  }

  /** Returns the words for what a job waits for, to follow its name. */
  static String text(JobWhy why) {
    if (why.blockedBy().isEmpty()) {
      return why.state() == JobState.RUNNING
          ? ", which runs since " + why.since()
          : ", which is %s since %s".formatted(why.state(), why.since());
    }
    int more = why.blockedBy().size() - MOST_REASONS;
    return why.blockedBy().stream()
        .limit(MOST_REASONS)
        .map(Blocked::detail)
        .collect(Collectors.joining("; ", ": ", more > 0 ? "; and %d more".formatted(more) : ""));
  }
}
