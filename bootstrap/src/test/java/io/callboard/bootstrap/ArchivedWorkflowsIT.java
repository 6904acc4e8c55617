package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.PostgresServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real instances of the built jar that leave the cell as soon as they have ended, while the node is
 * killed with SIGKILL and the database is cut off.
 */
@Tag("long")
@Tag("real")
class ArchivedWorkflowsIT {
  private static final Duration LONG = Duration.ofSeconds(90);
  private static final int WAVE = 15;
  private static final String DEFINITION =
      """
      {"name": "moving", "steps": {
        "a": {"run": "process", "with": {"command": ["echo", "one"]}},
        "b": {"run": "process", "with": {"command": ["true"]}, "after": {"a": "success"}}}}
      """;

  private final List<String> started = new ArrayList<>();

  private static JsonNode json(HttpResponse<String> response) {
    return Json.parse("the answer", response.body().getBytes(StandardCharsets.UTF_8));
  }

  private static HttpResponse<String> get(LaunchedNode node, String path) {
    try {
      return node.get(path);
    } catch (IOException e) {
      throw new AssertionError("no answer to " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static void define(LaunchedNode node) throws Exception {
    HttpResponse<String> put = node.send("PUT", "/api/v1/workflow-definitions/moving", DEFINITION);
    assertThat(put.statusCode()).as(put.body()).isIn(200, 201);
  }

  private void startAll(LaunchedNode node) throws Exception {
    for (int i = 0; i < WAVE; i++) {
      HttpResponse<String> made =
          node.send(
              "POST",
              "/api/v1/workflows",
              "{\"definition\":\"moving\",\"labels\":{\"wave\":\"w\"}}");
      assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
      started.add(json(made).path("id").asText());
    }
  }

  /** Returns the ids of all instances of a list, page by page. */
  private static List<String> listed(LaunchedNode node, String filter) {
    List<String> ids = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = json(get(node, "/api/v1/workflows?limit=7" + filter + cursor));
      assertThat(page.has("partial")).as(page.toString()).isFalse();
      page.path("items").forEach(each -> ids.add(each.path("id").asText()));
      cursor = page.has("next") ? "&cursor=" + page.path("next").asText() : null;
    } while (cursor != null);
    return ids;
  }

  /** Waits until the cell has none of them any more and the list has each once. */
  private void allAreArchived(LaunchedNode node) {
    Eventually.assertThat(
        LONG,
        () -> {
          assertThat(listed(node, "&state=SUCCEEDED"))
              .containsExactlyElementsOf(new TreeSet<>(started).descendingSet());
          assertThat(get(node, "/metrics").body()).contains("callboard_workflows_ended 0");
        });
    assertThat(started).doesNotHaveDuplicates();
  }

  private void killAndArchive(Path data, String... more) throws Exception {
    LaunchedNode node = LaunchedNode.start(data, more);
    try {
      define(node);
      for (int kill = 0; kill < 3; kill++) {
        startAll(node);
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2L * kill + 1));
        node.kill();
        node = LaunchedNode.start(data, more);
      }
      allAreArchived(node);
      String first = "/api/v1/workflows/" + started.get(0);
      JsonNode instance = json(get(node, first));
      assertThat(instance.path("steps").path("b").path("state").asText()).isEqualTo("SUCCEEDED");
      assertThat(json(get(node, first + "/events")).path("items")).hasSizeGreaterThan(4);
      assertThat(json(get(node, first + "/why")).path("state").asText()).isEqualTo("SUCCEEDED");
      HttpResponse<String> again = node.send("POST", first + "/rerun-from", "{\"step\":\"b\"}");
      assertThat(again.statusCode()).as(again.body()).isEqualTo(409);
      assertThat(again.body()).contains("is SUCCEEDED and archived");
      assertThat(node.send("DELETE", first, "").statusCode()).isEqualTo(204);
      assertThat(get(node, first).statusCode()).isEqualTo(404);
      started.remove(0);
      assertThat(listed(node, "&label=wave%3Dw")).hasSize(started.size());
      assertThat(listed(node, "&q=" + started.get(1))).containsExactly(started.get(1));
    } finally {
      node.close();
    }
  }

  @Test
  void killsLoseNoInstanceOnItsWayToH2() throws Exception {
    killAndArchive(LaunchedNode.directory("moving"), "--instances-kept", "0");
  }

  @Test
  void killsAndCutsLoseNoInstanceOnItsWayToPostgres() throws Exception {
    PostgresServer.assumeInstalled();
    Path data = LaunchedNode.directory("moving");
    try (PostgresServer server = PostgresServer.start(true);
        CutProxy database = new CutProxy(server.address())) {
      String url = server.schema("moving").replace(server.address(), database.address());
      String[] options = {"--instances-kept", "0", "--archive", url};
      killAndArchive(data, options);
      try (LaunchedNode node = LaunchedNode.start(data, options)) {
        allAreArchived(node);
        away(node, database);
      }
    }
  }

  private void away(LaunchedNode node, CutProxy database) throws Exception {
    database.cut();
    int before = started.size();
    startAll(node);
    Eventually.assertThat(
        LONG,
        () -> {
          assertThat(get(node, "/readyz").body())
              .contains("\"archive\":\"workflows\"")
              .contains("ended workflow instances cannot be archived and removed since");
          assertThat(get(node, "/metrics").body())
              .contains("callboard_workflows_archive_away 1")
              .contains("callboard_workflows_ended " + WAVE + "\n");
        });
    JsonNode page = json(get(node, "/api/v1/workflows?limit=200"));
    assertThat(page.path("partial").asBoolean()).isTrue();
    assertThat(page.path("items")).hasSize(WAVE);
    String archived = "/api/v1/workflows/" + started.get(before - 1);
    assertThat(get(node, archived).statusCode()).isEqualTo(503);
    assertThat(node.send("DELETE", archived, "").statusCode()).isEqualTo(503);
    database.mend();
    allAreArchived(node);
    Eventually.assertThat(
        LONG, () -> assertThat(json(get(node, "/readyz")).has("degraded")).isFalse());
  }
}
