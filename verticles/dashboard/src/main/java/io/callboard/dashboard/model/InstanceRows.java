package io.callboard.dashboard.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.workflows.model.Instance;

/** Instances of workflows as JSON. Pure. */
public final class InstanceRows {
  private InstanceRows() {}

  /** Returns an instance, without the secrets of its input. */
  public static ObjectNode of(Instance instance) {
    ObjectNode row = (ObjectNode) Json.tree(instance);
    JsonNode input = row.get("input");
    return input == null ? row : row.set("input", MaskedJson.of(input));
  }
}
