package io.callboard.workflows.internal.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Specification that an instance was created with. Never changes.
 *
 * @param id id of the instance
 * @param definition name of its definition
 * @param version version of the definition
 * @param input its input
 * @param priority 0 to 9, higher first
 * @param labels its labels
 * @param uniqueKey key that it holds until it ends; null for none
 * @param parent the step that it runs for; null for none
 * @param createdAt when it was created
 * @param listener path of the durable actor to which its ends are told; null for none
 */
public record InstanceSpec(
    String id,
    String definition,
    String version,
    JsonNode input,
    int priority,
    Map<String, String> labels,
    @Nullable String uniqueKey,
    @Nullable ParentStep parent,
    Instant createdAt,
    @Nullable String listener) {
  /** Copies the labels. */
  public InstanceSpec {
    labels = Map.copyOf(labels);
  }

  /**
   * Returns the longest time of a round of the instance: that of its definition, or that of the
   * step that it runs for, if that is shorter; null for none.
   */
  public @Nullable Duration timeout(@Nullable Duration ofDefinition) {
    Duration ofStep = parent == null ? null : parent.timeout();
    if (ofStep == null || ofDefinition == null) {
      return ofStep == null ? ofDefinition : ofStep;
    }
    return ofStep.compareTo(ofDefinition) < 0 ? ofStep : ofDefinition;
  }
}
