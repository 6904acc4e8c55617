package io.callboard.workflows.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.time.Machine;
import java.util.List;
import java.util.Map;

/**
 * Deep merge in which the later output wins. Objects at the same place are merged; anything else,
 * lists included, is replaced.
 */
@Machine
final class TopologicalMerger implements Merger {
  @Override
  public JsonNode merge(List<SourceOutput> outputs) {
    JsonNode merged = outputs.get(0).output();
    for (SourceOutput each : outputs.subList(1, outputs.size())) {
      merged = over(merged, each.output());
    }
    return merged;
  }

  private static JsonNode over(JsonNode below, JsonNode above) {
    if (!below.isObject() || !above.isObject()) {
      return above;
    }
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    below.properties().forEach(field -> merged.set(field.getKey(), field.getValue()));
    for (Map.Entry<String, JsonNode> field : above.properties()) {
      JsonNode before = merged.get(field.getKey());
      merged.set(
          field.getKey(), before == null ? field.getValue() : over(before, field.getValue()));
    }
    return merged;
  }
}
