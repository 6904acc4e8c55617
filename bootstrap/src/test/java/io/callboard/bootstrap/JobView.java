package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Jobs of a running node as its REST API shows them. */
final class JobView {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private JobView() {}

  /** Submits a job and returns its id. */
  static String submit(LaunchedNode node, String body) throws Exception {
    HttpResponse<String> answer = node.send("POST", "/api/v1/jobs", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return JSON.readTree(answer.body()).path("id").asText();
  }

  static JsonNode get(LaunchedNode node, String id) throws Exception {
    return JSON.readTree(node.get("/api/v1/jobs/" + id).body());
  }

  static String state(LaunchedNode node, String id) throws Exception {
    return get(node, id).path("state").asText();
  }

  static int runs(LaunchedNode node, String id) throws Exception {
    return get(node, id).path("runs").size();
  }

  static void await(LaunchedNode node, String id, String state) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!state(node, id).equals(state)) {
      assertThat(System.nanoTime()).as(get(node, id).toString()).isLessThan(deadline);
      LaunchedNode.pause();
    }
  }
}
