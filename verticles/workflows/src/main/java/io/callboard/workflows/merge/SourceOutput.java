package io.callboard.workflows.merge;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Output of a source of a step.
 *
 * @param step id of the source
 * @param output its output
 */
public record SourceOutput(String step, JsonNode output) {
  /** Returns the same with a copy of the output. */
  SourceOutput copy() {
    return new SourceOutput(step, output.deepCopy());
  }
}
