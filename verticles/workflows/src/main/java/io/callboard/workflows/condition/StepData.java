package io.callboard.workflows.condition;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * Data that a step sees.
 *
 * @param input input of the instance
 * @param outputs outputs of the steps that succeeded, by id
 */
public record StepData(JsonNode input, Map<String, JsonNode> outputs) {}
