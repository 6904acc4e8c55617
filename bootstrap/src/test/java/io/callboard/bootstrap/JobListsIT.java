package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.testkit.Eventually;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists and counts of three nodes, each of which indexes a part of the jobs; one is killed. */
@Tag("long")
@Tag("real")
class JobListsIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int JOBS = 90;

  private final Map<String, LaunchedNode> nodes = new HashMap<>();
  private final TreeSet<String> submitted = new TreeSet<>();

  private LaunchedNode start(String name, Path data) throws IOException {
    List<String> more = new ArrayList<>(List.of("--name", name));
    if (!name.equals("n1")) {
      more.addAll(List.of("--zookeeper", node("n1").zookeeper()));
    }
    LaunchedNode node = LaunchedNode.start(data, more.toArray(String[]::new));
    nodes.put(name, node);
    return node;
  }

  private LaunchedNode node(String name) {
    LaunchedNode node = nodes.get(name);
    if (node == null) {
      throw new AssertionError("node " + name + " was not started");
    }
    return node;
  }

  @AfterEach
  void stop() {
    nodes.values().forEach(LaunchedNode::close);
  }

  private static JsonNode get(LaunchedNode node, String path) {
    try {
      HttpResponse<String> response = node.get(path);
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return Json.parse("the answer", response.body().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError("no answer to " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private void submit(LaunchedNode node, int number) throws Exception {
    String body =
        "{\"type\":\"process\",\"command\":[\"echo\",\"%d\"],\"runAt\":\"2099-01-01T00:00:00Z\",\"labels\":{\"rest\":\"%d\"}}"
            .formatted(number, number % 3);
    HttpResponse<String> made = node.send("POST", "/api/v1/jobs", body);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
    submitted.add(
        Json.parse("the job", made.body().getBytes(StandardCharsets.UTF_8)).path("id").asText());
  }

  /** List of a node, page by page. */
  private record Listed(List<String> ids, boolean partial) {}

  private static Listed list(LaunchedNode node, String filter) {
    List<String> ids = new ArrayList<>();
    boolean partial = false;
    String cursor = "";
    do {
      JsonNode page = get(node, "/api/v1/jobs?limit=13" + filter + cursor);
      partial |= page.path("partial").asBoolean();
      page.path("items").forEach(job -> ids.add(job.path("id").asText()));
      cursor = page.has("next") ? "&cursor=" + page.path("next").asText() : null;
    } while (cursor != null);
    assertThat(ids).doesNotHaveDuplicates();
    return new Listed(ids, partial);
  }

  private void listsAll(LaunchedNode node) {
    Listed newest = list(node, "");
    assertThat(newest.partial()).isFalse();
    assertThat(newest.ids()).containsExactlyElementsOf(submitted.descendingSet());
  }

  private static long count(LaunchedNode node) {
    return get(node, "/api/v1/stats").path("jobs").path("byState").path("SCHEDULED").asLong();
  }

  @Test
  void eachNodeListsAllJobsWhateverBecomesOfAnother() throws Exception {
    Path third = LaunchedNode.directory("lists-3");
    start("n1", LaunchedNode.directory("lists-1"));
    start("n2", LaunchedNode.directory("lists-2"));
    start("n3", third);
    List<String> names = List.of("n1", "n2", "n3");
    for (int number = 0; number < JOBS; number++) {
      submit(node(names.get(number % names.size())), number);
    }
    for (String name : names) {
      Eventually.assertThat(LONG, () -> listsAll(node(name)));
      Eventually.assertThat(LONG, () -> assertThat(count(node(name))).isEqualTo(JOBS));
      assertThat(list(node(name), "&sort=createdAt").ids()).containsExactlyElementsOf(submitted);
      assertThat(list(node(name), "&label=rest%3D1").ids()).hasSize(JOBS / 3);
      assertThat(list(node(name), "&q=echo%2077").ids()).hasSize(1);
    }

    node("n3").kill();
    for (String name : List.of("n1", "n2")) {
      Eventually.assertThat(
          LONG,
          () -> {
            Listed listed = list(node(name), "");
            assertThat(submitted).containsAll(listed.ids());
            if (!listed.partial()) {
              assertThat(listed.ids()).as("it said that it was whole").hasSize(JOBS);
            }
            assertThat(listed.partial()).isFalse();
          });
      Eventually.assertThat(LONG, () -> assertThat(count(node(name))).isEqualTo(JOBS));
    }

    start("n3", third);
    for (String name : names) {
      Eventually.assertThat(LONG, () -> listsAll(node(name)));
    }
    String deleted = submitted.first();
    assertThat(node("n2").send("POST", "/api/v1/jobs/" + deleted + "/cancel", "").statusCode())
        .isEqualTo(202);
    Eventually.assertThat(
        LONG,
        () -> assertThat(list(node("n3"), "&state=CANCELLED").ids()).containsExactly(deleted));
    assertThat(node("n1").send("DELETE", "/api/v1/jobs/" + deleted, "").statusCode())
        .isEqualTo(204);
    submitted.remove(deleted);
    for (String name : names) {
      Eventually.assertThat(LONG, () -> listsAll(node(name)));
    }
  }
}
