package io.callboard.dashboard.internal.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.internal.model.InstanceRows;
import io.callboard.dashboard.internal.model.Partial;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Topics of workflows: lists of instances, and single instances. */
final class WorkflowTopics {
  private static final int MOST_INSTANCES = 200;

  /** Each reading of counts is a message to the index of each node, which keeps them. */
  private static final int COUNTS_TICKS = 2;

  /** Definition and version whose instances are counted; null for all. */
  private record CountsOf(@Nullable String definition, @Nullable String version) {}

  private WorkflowTopics() {}

  /** Returns the topic of a list of instances. */
  static LiveTopic list(Workflows workflows, JsonNode query) {
    WorkflowQuery asked =
        new WorkflowQuery(
            Topics.text(query, "definition"),
            Topics.text(query, "version"),
            Topics.state(query, InstanceState.class),
            Topics.text(query, "label"),
            null,
            Topics.text(query, "q"),
            false,
            Topics.limit(query, MOST_INSTANCES),
            Topics.text(query, "cursor"));
    return Topics.polled(
        asked,
        1,
        () ->
            workflows
                .list(asked)
                .map(
                    page ->
                        Topics.listed(
                            page.items().stream().<JsonNode>map(Json::tree).toList(),
                            page.partial() ? Partial.why(page.missing()) : null)));
  }

  /**
   * Returns the topic of the numbers of instances by state, of all definitions, of one, or of one
   * version: a single row, which says why the numbers may be too low, if they may. Those that only
   * the archive has are not counted.
   */
  static LiveTopic counts(Workflows workflows, JsonNode query) {
    String definition = Topics.text(query, "definition");
    String version = Topics.text(query, "version");
    return Topics.polled(
        new CountsOf(definition, version),
        COUNTS_TICKS,
        () ->
            workflows
                .counted()
                .map(
                    counted -> {
                      ObjectNode row = JsonNodeFactory.instance.objectNode();
                      row.set(
                          "byState", InstanceRows.byState(counted.items(), definition, version));
                      if (counted.partial()) {
                        row.put(Topics.MISSING, Partial.ofCounts(counted.missing()));
                      }
                      return Map.of("counts", row);
                    }));
  }

  /** Returns the topic of one instance. */
  static LiveTopic one(Workflows workflows, String id) {
    return Topics.polled(
        "workflow/" + id,
        1,
        () ->
            workflows
                .instance(id)
                .map(instance -> Topics.byField("id", List.of(InstanceRows.of(instance)))));
  }
}
