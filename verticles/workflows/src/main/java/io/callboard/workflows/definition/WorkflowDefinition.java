package io.callboard.workflows.definition;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Definition of a workflow, not checked yet.
 *
 * @param name its name
 * @param failFast whether the first failure for good ends an instance
 * @param timeout longest time of an instance; null for none
 * @param steps steps by id, in the order of declaration
 * @param last steps of the section {@code finally} by id, in the order of declaration
 */
public record WorkflowDefinition(
    String name,
    boolean failFast,
    @Nullable Duration timeout,
    Map<String, StepDefinition> steps,
    Map<String, StepDefinition> last) {
  /** Copies the steps and keeps their order. */
  public WorkflowDefinition {
    steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
    last = Collections.unmodifiableMap(new LinkedHashMap<>(last));
  }
}
