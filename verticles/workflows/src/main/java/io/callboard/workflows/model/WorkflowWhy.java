package io.callboard.workflows.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reasons why an instance is where it is.
 *
 * @param state state of the instance
 * @param summary what it waits for, or how it ended, in a sentence
 * @param since since when; null if that is not known
 * @param steps reason by step that is not settled; open ones first, in the order of declaration; at
 *     most {@link #MOST_STEPS}
 * @param more number of other steps that are not settled, which are not explained; null for none
 */
public record WorkflowWhy(
    InstanceState state,
    String summary,
    @Nullable Instant since,
    Map<String, StepWhy> steps,
    @Nullable Integer more) {
  /** Maximum number of steps that are explained at once; open ones first. */
  public static final int MOST_STEPS = 1_000;

  /**
   * Reason why a step is not settled.
   *
   * @param kind short word for programs: {@code waits-for}, {@code retry}, {@code queued}, {@code
   *     requested}, {@code running}, {@code job}, {@code subworkflow}, {@code cancelling}, {@code
   *     refused} or {@code slots}
   * @param text reason, a sentence for people
   * @param until when it ends by itself; null if that is not known
   */
  public record StepWhy(String kind, String text, @Nullable Instant until) {}

  /** Copies the steps and keeps their order. */
  public WorkflowWhy {
    steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
  }

  /** Returns these reasons with others of its steps. */
  public WorkflowWhy with(Map<String, StepWhy> others) {
    return new WorkflowWhy(state, summary, since, others, more);
  }
}
