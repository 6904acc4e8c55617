package io.callboard.dashboard.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.dashboard.model.InstanceRows;
import io.callboard.dashboard.model.Partial;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import java.util.List;

/** Subjects of workflows: lists of instances, and single instances. */
final class WorkflowTopics {
  private static final int MOST_INSTANCES = 200;

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
