package io.callboard.workflows.instance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.time.Machine;
import io.callboard.workflows.definition.MergeRule;
import io.callboard.workflows.graph.GraphStep;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Merge of the outputs of a step's sources, by its rule. */
@Machine
final class OutputMerge {
  private final ObjectNode merged = JsonNodeFactory.instance.objectNode();
  private final Map<String, JsonNode> before = new LinkedHashMap<>();
  private final boolean disjoint;
  private @Nullable String conflict;

  private OutputMerge(MergeRule rule) {
    this.disjoint = rule == MergeRule.DISJOINT;
  }

  /**
   * Merges outputs.
   *
   * @param outputs outputs by step, in topological order
   */
  static OutputMerge of(MergeRule rule, Map<String, JsonNode> outputs) {
    OutputMerge merge = new OutputMerge(rule);
    outputs.forEach(merge::add);
    return merge;
  }

  /** Returns the merged outputs. */
  ObjectNode merged() {
    return merged;
  }

  /** Returns why they cannot be merged; null if they can. */
  @Nullable String conflict() {
    return conflict;
  }

  private void add(String step, JsonNode output) {
    if (output.isNull() || conflict != null) {
      return;
    } else if (!output.isObject()) {
      conflict =
          "the output of %s cannot be merged: it is no object but %s"
              .formatted(step, output.getNodeType().name().toLowerCase(java.util.Locale.ROOT));
      return;
    }
    merge(step, merged, (ObjectNode) output, "");
    before.put(step, output);
  }

  private void merge(String step, ObjectNode into, ObjectNode from, String pointer) {
    for (Map.Entry<String, JsonNode> field : from.properties()) {
      JsonNode there = into.get(field.getKey());
      String place = pointer + "/" + GraphStep.escaped(field.getKey());
      if (there == null) {
        into.set(field.getKey(), field.getValue().deepCopy());
      } else if (there.isObject() && field.getValue().isObject()) {
        merge(step, (ObjectNode) there, (ObjectNode) field.getValue(), place);
      } else if (disjoint && conflict == null) {
        conflict =
            "both %s and %s have a value at %s: rename one, or use merge: topo"
                .formatted(first(place), step, place);
      } else {
        into.set(field.getKey(), field.getValue().deepCopy());
      }
    }
  }

  private String first(String place) {
    return before.entrySet().stream()
        .filter(each -> !each.getValue().at(place).isMissingNode())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("an earlier step");
  }
}
