package io.callboard.workflows.merge;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Output of a source of a step.
 *
 * @param step id of the source
 * @param output its output; must not be changed
 */
public record SourceOutput(String step, JsonNode output) {}
