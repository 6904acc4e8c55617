package io.callboard.workflows.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Instance of a workflow, as users see it.
 *
 * @param id its id, a UUID of version 7
 * @param definition name of its definition
 * @param version version of the definition, which it keeps
 * @param state its state
 * @param priority 0 to 9, higher first
 * @param labels its labels
 * @param uniqueKey key that it holds until it ends; null for none
 * @param parent id of the instance whose step it runs; null for none
 * @param input its input
 * @param createdAt when it was created
 * @param endedAt when it ended; null before
 * @param reason why it failed or was cancelled; null for none
 * @param compensating whether steps that succeeded are being undone
 * @param steps its steps by id, in the order of their declaration, those of {@code finally} last
 */
public record Instance(
    String id,
    String definition,
    String version,
    InstanceState state,
    int priority,
    Map<String, String> labels,
    @Nullable String uniqueKey,
    @Nullable String parent,
    JsonNode input,
    Instant createdAt,
    @Nullable Instant endedAt,
    @Nullable String reason,
    boolean compensating,
    Map<String, StepView> steps) {
  /** Copies the maps and keeps the order of the steps. */
  public Instance {
    labels = Map.copyOf(labels);
    steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
  }

  /** Returns the same with other steps. */
  public Instance with(Map<String, StepView> itsSteps) {
    return new Instance(
        id,
        definition,
        version,
        state,
        priority,
        labels,
        uniqueKey,
        parent,
        input,
        createdAt,
        endedAt,
        reason,
        compensating,
        itsSteps);
  }
}
