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
 * Real jobs of the built jar whose records leave ZooKeeper at once, while the node is killed with
 * SIGKILL and the database is cut off.
 */
@Tag("long")
@Tag("real")
class ArchivedJobsIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int WAVE = 40;

  private final List<String> submitted = new ArrayList<>();
  private int keys;

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

  private void submitAll(LaunchedNode node) throws Exception {
    for (int i = 0; i < WAVE; i++) {
      String key = "job-" + keys++;
      String body = "{\"type\":\"process\",\"command\":[\"true\"],\"labels\":{\"wave\":\"w\"}}";
      HttpResponse<String> made = node.send("POST", "/api/v1/jobs", body, "Idempotency-Key", key);
      assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
      submitted.add(json(made).path("id").asText());
    }
  }

  /** Returns the ids of all jobs of a list, page by page. */
  private static List<String> listed(LaunchedNode node, String filter) {
    List<String> ids = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = json(get(node, "/api/v1/jobs?limit=17" + filter + cursor));
      assertThat(page.has("partial")).as(page.toString()).isFalse();
      page.path("items").forEach(job -> ids.add(job.path("id").asText()));
      cursor = page.has("next") ? "&cursor=" + page.path("next").asText() : null;
    } while (cursor != null);
    return ids;
  }

  /** Waits until ZooKeeper has no job any more and the list has each job once. */
  private void allAreArchived(LaunchedNode node) {
    Eventually.assertThat(
        LONG,
        () -> {
          assertThat(json(get(node, "/api/v1/stats")).path("jobs").path("byState"))
              .as("records")
              .isEmpty();
          assertThat(listed(node, "&state=SUCCEEDED"))
              .containsExactlyElementsOf(new TreeSet<>(submitted).descendingSet());
        });
    assertThat(submitted).doesNotHaveDuplicates();
  }

  private void killAndArchive(Path data, String... more) throws Exception {
    LaunchedNode node = LaunchedNode.start(data, more);
    try {
      for (int kill = 0; kill < 3; kill++) {
        submitAll(node);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(400L * (kill + 1)));
        node.kill();
        node = LaunchedNode.start(data, more);
      }
      allAreArchived(node);
      HttpResponse<String> again =
          node.send(
              "POST",
              "/api/v1/jobs",
              "{\"type\":\"process\",\"command\":[\"true\"],\"labels\":{\"wave\":\"w\"}}",
              "Idempotency-Key",
              "job-0");
      assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
      assertThat(json(again).path("id").asText()).isEqualTo(submitted.get(0));
      String first = "/api/v1/jobs/" + submitted.get(0);
      int runs = json(get(node, first)).path("runs").size();
      assertThat(node.send("POST", first + "/rerun", "").statusCode()).isEqualTo(202);
      LaunchedNode now = node;
      Eventually.assertThat(
          LONG,
          () -> {
            JsonNode job = json(get(now, first));
            assertThat(job.path("state").asText()).isEqualTo("SUCCEEDED");
            assertThat(job.path("runs")).hasSize(runs + 1);
          });
      allAreArchived(node);
      assertThat(node.send("DELETE", first, "").statusCode()).isEqualTo(204);
      assertThat(get(node, first).statusCode()).isEqualTo(404);
      assertThat(listed(node, "&q=" + submitted.get(1))).containsExactly(submitted.get(1));
      assertThat(listed(node, "&label=wave%3Dw")).hasSize(submitted.size() - 1);
      submitted.remove(0);
    } finally {
      node.close();
    }
  }

  @Test
  void killsLoseNoJobOnItsWayToH2() throws Exception {
    killAndArchive(LaunchedNode.directory("archived"), "--jobs-kept", "0");
  }

  @Test
  void killsAndCutsLoseNoJobOnItsWayToPostgres() throws Exception {
    PostgresServer.assumeInstalled();
    Path data = LaunchedNode.directory("archived");
    try (PostgresServer server = PostgresServer.start(true);
        CutProxy database = new CutProxy(server.address())) {
      String url = server.schema("jobs").replace(server.address(), database.address());
      String[] options = {"--jobs-kept", "0", "--archive", url};
      killAndArchive(data, options);
      try (LaunchedNode node = LaunchedNode.start(data, options)) {
        allAreArchived(node);
        away(node, database);
      }
    }
  }

  private void away(LaunchedNode node, CutProxy database) throws Exception {
    database.cut();
    int before = submitted.size();
    submitAll(node);
    Eventually.assertThat(
        LONG,
        () -> {
          assertThat(get(node, "/readyz").body())
              .contains("\"archive\":\"jobs\"")
              .contains("ended jobs cannot be archived and removed since");
          assertThat(get(node, "/metrics").body())
              .contains("callboard_jobs_archive_away 1")
              .contains("callboard_jobs_to_archive " + WAVE + "\n");
        });
    JsonNode page = json(get(node, "/api/v1/jobs?limit=200"));
    assertThat(page.path("partial").asBoolean()).isTrue();
    assertThat(page.path("items")).hasSize(WAVE);
    assertThat(get(node, "/api/v1/jobs/" + submitted.get(before - 1)).statusCode()).isEqualTo(503);
    database.mend();
    allAreArchived(node);
    Eventually.assertThat( // the archive of workflows looks again within a minute
        LONG.multipliedBy(2),
        () -> assertThat(json(get(node, "/readyz")).has("degraded")).isFalse());
  }
}
