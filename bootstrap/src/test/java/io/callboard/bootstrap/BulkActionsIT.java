package io.callboard.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.codecs.Json;
import io.callboard.testkit.Eventually;
import io.callboard.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A bulk action whose node is killed, as the other nodes list it. */
@Tag("long")
@Tag("real")
class BulkActionsIT {
  private static final int JOBS = 40;
  private static final String ACTIONS = "/api/v1/job-actions";

  /** For nodes that have just started, or lost another one, on a busy machine. */
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private static JsonNode get(LaunchedNode node, String path) {
    try {
      return Json.parse(path, node.get(path).body().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static LaunchedNode start(Path data, EmbeddedZooKeeper server, String name)
      throws Exception {
    return LaunchedNode.start(
        data.resolve(name), "--name", name, "--zookeeper", server.connectString());
  }

  private static JsonNode last(LaunchedNode node) {
    return get(node, ACTIONS).path("items").path(0);
  }

  private static void isInterrupted(LaunchedNode node, int least) {
    Eventually.assertThat(
        SETTLED,
        () -> {
          JsonNode action = last(node);
          assertThat(action.path("state").asText()).as(action.toString()).isEqualTo("INTERRUPTED");
          assertThat(action.path("node").asText()).isEqualTo("dies");
          assertThat(action.path("matched").asInt()).isEqualTo(JOBS);
          assertThat(action.path("done").asInt()).isBetween(least, JOBS - 1);
          assertThat(action.path("why").asText())
              .isEqualTo(
                  "its node dies has gone; when it was heard of last, %d of %d were not done"
                      .formatted(JOBS - action.path("done").asInt(), JOBS));
        });
  }

  @Test
  void anActionOfANodeThatWasKilledIsListedByTheOthersAsInterrupted() throws Exception {
    Path data = LaunchedNode.directory("bulk");
    try (EmbeddedZooKeeper server =
            EmbeddedZooKeeper.start(
                data.resolve("zookeeper"),
                0,
                failure -> {
                  throw new AssertionError(failure);
                });
        LaunchedNode dies = start(data, server, "dies");
        LaunchedNode stays = start(data, server, "stays")) {
      assertThat(dies.send("POST", "/api/v1/types/process/pause", "").statusCode()).isEqualTo(200);
      for (int i = 0; i < JOBS; i++) {
        assertThat(dies.send("POST", "/api/v1/jobs", "{\"command\":[\"true\"]}").statusCode())
            .isEqualTo(201);
      }
      Eventually.assertThat(
          SETTLED,
          () -> assertThat(get(dies, ACTIONS + "/cancel").path("matched").asInt()).isEqualTo(JOBS));
      assertThat(
              dies.send("POST", ACTIONS + "/cancel", "{\"filter\":{},\"ratePerSecond\":1}")
                  .statusCode())
          .isEqualTo(202);
      // by then the others were told after the beginning
      Eventually.assertThat(
          SETTLED, () -> assertThat(last(dies).path("done").asInt()).isGreaterThan(4));
      assertThat(get(stays, ACTIONS).path("items")).as("its node lists it").isEmpty();
      dies.kill();
      isInterrupted(stays, 1);
      try (LaunchedNode joins = start(data, server, "joins")) {
        isInterrupted(joins, 1);
      }
    }
  }
}
