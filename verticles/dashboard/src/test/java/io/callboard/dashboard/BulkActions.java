package io.callboard.dashboard;

import static io.callboard.dashboard.TestNode.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.testkit.Eventually;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * Actions on many jobs or workflows of a node, over REST.
 *
 * @param path that of the actions
 * @param operation the one that the audit names
 */
record BulkActions(TestNode node, String path, String operation) {
  static BulkActions ofJobs(TestNode node) {
    return new BulkActions(node, "/api/v1/job-actions", "startJobAction");
  }

  static BulkActions ofWorkflows(TestNode node) {
    return new BulkActions(node, "/api/v1/workflow-actions", "startWorkflowAction");
  }

  JsonNode extent(String query) {
    HttpResponse<String> answer = node.get(path + "/" + query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer);
  }

  void awaitMatched(String query, int count) {
    Eventually.assertThat(() -> assertThat(extent(query).path("matched").asInt()).isEqualTo(count));
  }

  /**
   * @param body JSON with single quotes
   */
  HttpResponse<String> act(String action, String body) {
    return node.send(
        node.request(path + "/" + action)
            .header("Content-Type", "application/json")
            .header("X-Callboard-Reason", "wrong%20input")
            .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  JsonNode last() {
    return json(node.get(path)).path("items").path(0);
  }

  JsonNode awaitEnd() {
    Eventually.assertThat(() -> assertThat(last().path("state").asText()).isNotEqualTo("RUNNING"));
    Eventually.assertThat(() -> assertThat(last().has("endedAt")).isTrue());
    return last();
  }

  /** Cancels the five of the label {@code batch=wrong}, and returns how the action ended. */
  JsonNode cancelWrong() {
    HttpResponse<String> begun =
        act("cancel", "{'filter':{'label':'batch=wrong'},'limit':5,'ratePerSecond':100}");
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
    assertThat(json(begun).path("matched").asInt()).isEqualTo(5);
    JsonNode ended = awaitEnd();
    assertThat(ended.path("state").asText()).isEqualTo("ENDED");
    assertThat(ended.path("done").asInt()).isEqualTo(5);
    assertThat(ended.path("reason").asText()).isEqualTo("wrong input");
    return ended;
  }

  /** Returns the entries of the audit on these actions, the newest first. */
  List<JsonNode> audited() {
    List<JsonNode> entries = new ArrayList<>();
    for (JsonNode entry : json(node.get("/api/v1/audit")).path("items")) {
      if (entry.path("operation").asText().equals(operation)) {
        entries.add(entry);
      }
    }
    return entries;
  }

  List<String> auditLines() {
    return audited().stream()
        .map(
            entry ->
                "%s (%s) %s %s"
                    .formatted(
                        entry.path("subject").asText(),
                        entry.path("detail").asText(),
                        entry.path("status").asInt(),
                        entry.path("reason").asText()))
        .toList();
  }
}
