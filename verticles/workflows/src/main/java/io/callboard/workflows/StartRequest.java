package io.callboard.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.fields.GivenTexts;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Request for an instance of a workflow.
 *
 * @param definition name of the definition
 * @param version version of the definition; null for the current one
 * @param input input of the instance, of up to 256 KiB as JSON
 * @param uniqueKey key that only one instance which has not ended can hold: a second request
 *     returns that instance; null for none. An instance holds it until its first end: a retry or a
 *     rerun of it does not claim it again, so another instance may hold it by then
 * @param priority 0 to 9, higher first
 * @param labels labels for people and filters
 */
public record StartRequest(
    String definition,
    @Nullable String version,
    JsonNode input,
    @Nullable String uniqueKey,
    int priority,
    Map<String, String> labels) {
  /** Priority of a request that names none. */
  public static final int DEFAULT_PRIORITY = 5;

  /** Copies the labels. */
  public StartRequest {
    Objects.requireNonNull(definition, "definition is null: name a workflow");
    Objects.requireNonNull(input, "input is null: give an empty object for none");
    labels = GivenTexts.copyOf("labels", labels);
  }

  /** Creates a request for the current version with every default. */
  public static StartRequest of(String definition, JsonNode input) {
    return new StartRequest(definition, null, input, null, DEFAULT_PRIORITY, Map.of());
  }

  /** Creates a request for the current version without input. */
  public static StartRequest of(String definition) {
    return of(definition, JsonNodeFactory.instance.objectNode());
  }
}
