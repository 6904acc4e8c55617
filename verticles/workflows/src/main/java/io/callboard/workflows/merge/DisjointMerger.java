package io.callboard.workflows.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.fields.Fields;
import io.callboard.time.Machine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Deep merge in which no place may have two values, not even equal ones. Objects at the same place
 * are merged; anything else, lists included, is a value.
 */
@Machine
final class DisjointMerger implements Merger {
  /**
   * Object of the result.
   *
   * @param node the object
   * @param origins the source of each field, the first one of an object
   * @param objects its fields that are objects
   */
  private record Merged(ObjectNode node, Map<String, String> origins, Map<String, Merged> objects) {
    static Merged empty() {
      return new Merged(JsonNodeFactory.instance.objectNode(), new HashMap<>(), new HashMap<>());
    }
  }

  @Override
  public JsonNode merge(List<SourceOutput> outputs) throws MergeException {
    if (outputs.size() == 1) {
      return outputs.get(0).output();
    }
    Merged all = Merged.empty();
    for (SourceOutput each : outputs) {
      if (!each.output().isObject()) {
        SourceOutput other = outputs.get(each == outputs.get(0) ? 1 : 0);
        throw new MergeException(
            "the outputs of %s and %s cannot be merged: that of %s is no object"
                .formatted(other.step(), each.step(), each.step()));
      }
      add(all, "", each.step(), each.output());
    }
    return all.node();
  }

  private static void add(Merged target, String pointer, String step, JsonNode output)
      throws MergeException {
    for (Map.Entry<String, JsonNode> field : output.properties()) {
      String name = field.getKey();
      String at = pointer + "/" + Fields.escaped(name);
      String before = target.origins().putIfAbsent(name, step);
      if (before != null && !(field.getValue().isObject() && target.objects().containsKey(name))) {
        throw conflict(at, before, step);
      }
      if (field.getValue().isObject()) {
        Merged inner = target.objects().computeIfAbsent(name, unused -> Merged.empty());
        target.node().set(name, inner.node());
        add(inner, at, step, field.getValue());
      } else {
        target.node().set(name, field.getValue());
      }
    }
  }

  private static MergeException conflict(String pointer, String one, String other) {
    return new MergeException(
        "the outputs of %s and %s both have a value at %s".formatted(one, other, pointer));
  }
}
