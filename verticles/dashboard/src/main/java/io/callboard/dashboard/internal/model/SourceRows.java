package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.pollers.model.SourceView;
import java.util.List;

/** Sources as JSON. Pure. */
public final class SourceRows {
  private SourceRows() {}

  /** Returns a source, with the words of its configuration. */
  public static ObjectNode of(SourceView source) {
    ObjectNode row = (ObjectNode) Json.tree(source);
    return row.put("ack", source.ack().word());
  }

  /** Returns sources, in their order. */
  public static List<JsonNode> of(List<SourceView> sources) {
    return sources.stream().<JsonNode>map(SourceRows::of).toList();
  }
}
