package io.callboard.workflows.internal.starts;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Instance that a message is to become.
 *
 * @param definition name of the definition
 * @param version version of it; null for the current one
 * @param input input of the instance
 * @param priority 0 to 9, higher first
 * @param labels its labels
 * @param delay time until it starts, 0 for at once
 */
public record IntakeStart(
    String definition,
    @Nullable String version,
    JsonNode input,
    int priority,
    Map<String, String> labels,
    Duration delay) {
  /** Copies the labels. */
  public IntakeStart {
    labels = Map.copyOf(labels);
  }

  /** Returns the same instance with that version. */
  public IntakeStart version(String its) {
    return new IntakeStart(definition, its, input, priority, labels, delay);
  }
}
