package io.callboard.workflows.definition;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Definition of a workflow, not checked yet.
 *
 * @param name its name
 * @param input JSON Schema of the input of an instance; null for any input
 * @param weight share of the definition among those that wait, 1 to {@value #MOST_WEIGHT}
 * @param failFast whether the first failure for good ends an instance
 * @param timeout longest time of an instance; null for none
 * @param steps steps by id, in the order of declaration
 * @param last steps of the section {@code finally} by id, in the order of declaration
 */
public record WorkflowDefinition(
    String name,
    @Nullable JsonNode input,
    int weight,
    boolean failFast,
    @Nullable Duration timeout,
    Map<String, StepDefinition> steps,
    Map<String, StepDefinition> last) {
  /** Weight of a definition that gives none. */
  public static final int DEFAULT_WEIGHT = 1;

  /** Highest weight of a definition. */
  public static final int MOST_WEIGHT = 1_000;

  /** Copies the steps and keeps their order; copies the schema, with its numbers in one form. */
  public WorkflowDefinition {
    input = input == null ? null : CanonicalNumbers.of(input);
    steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
    last = Collections.unmodifiableMap(new LinkedHashMap<>(last));
  }

  /** Returns a step of either section. */
  StepDefinition step(String id) {
    StepDefinition step = steps.get(id);
    return step == null ? Objects.requireNonNull(last.get(id), id) : step;
  }

  /** Returns a copy, whose schema and parameters are its own. */
  public WorkflowDefinition copy() {
    return new WorkflowDefinition(
        name, input, weight, failFast, timeout, copies(steps), copies(last));
  }

  private static Map<String, StepDefinition> copies(Map<String, StepDefinition> steps) {
    Map<String, StepDefinition> copies = new LinkedHashMap<>();
    steps.forEach((id, step) -> copies.put(id, step.copy()));
    return copies;
  }
}
