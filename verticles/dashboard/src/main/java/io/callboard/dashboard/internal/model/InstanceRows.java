package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.workflows.model.Instance;
import io.callboard.workflows.model.InstanceCount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Instances of workflows as JSON. Pure. */
public final class InstanceRows {
  private InstanceRows() {}

  /**
   * Returns numbers of instances by their state.
   *
   * @param definition only those of this definition; null for all
   * @param version only those of this version of it; null for all
   */
  public static ObjectNode byState(
      List<InstanceCount> counts, @Nullable String definition, @Nullable String version) {
    ObjectNode states = JsonNodeFactory.instance.objectNode();
    for (InstanceCount each : counts) {
      if ((definition == null || definition.equals(each.definition()))
          && (version == null || version.equals(each.version()))) {
        String state = each.state().name();
        states.put(state, states.path(state).asLong() + each.count());
      }
    }
    return states;
  }

  /** Returns an instance, without the secrets of its input. */
  public static ObjectNode of(Instance instance) {
    ObjectNode row = (ObjectNode) Json.tree(instance);
    JsonNode input = row.get("input");
    return input == null ? row : row.set("input", MaskedJson.of(input));
  }
}
