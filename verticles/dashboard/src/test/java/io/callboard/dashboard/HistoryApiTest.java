package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.callboard.dashboard.internal.chart.Range;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures over time over REST, of a node that really runs jobs. */
@Tag("real")
class HistoryApiTest {
  private final ManualTime time = new ManualTime(Instant.now());
  private TestNode node;

  @BeforeEach
  void open(@TempDir Path data) {
    node = TestNode.withTime(data, TestNode.options(), time);
  }

  @AfterEach
  void close() {
    node.close();
  }

  /** Looks after the next sample. */
  private JsonNode history(String query) {
    time.advance(Range.QUARTER.step());
    return TestNode.json(node.get("/api/v1/history" + query));
  }

  private static JsonNode series(JsonNode history, String chart, String name) {
    for (JsonNode each : history.path("series")) {
      if (each.path("chart").asText().equals(chart) && each.path("name").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError("no curve " + chart + " " + name);
  }

  private List<String> jobs() {
    List<String> states = new ArrayList<>();
    TestNode.json(node.get("/api/v1/jobs"))
        .path("items")
        .forEach(job -> states.add(job.path("state").asText()));
    return states;
  }

  private static double most(JsonNode series) {
    double most = 0;
    for (JsonNode value : series.path("values")) {
      most = Math.max(most, value.asDouble());
    }
    return most;
  }

  @Test
  void runsFailuresAndWaitsAreSeenInEachRange() {
    Instant before = time.clock().instant();
    for (String command : new String[] {"true", "true", "false"}) {
      assertThat(
              node.post("/api/v1/jobs", "{\"command\":[\"%s\"]}".formatted(command)).statusCode())
          .isEqualTo(201);
    }
    Eventually.assertThat(
        () -> assertThat(jobs()).containsExactlyInAnyOrder("SUCCEEDED", "SUCCEEDED", "DEAD"));
    assertThat(node.post("/api/v1/types/process/pause").statusCode()).isEqualTo(200);
    for (String range : new String[] {"", "?range=15m", "?range=1h", "?range=24h"}) {
      Eventually.assertThat(
          () -> {
            JsonNode json = history(range);
            assertThat(most(series(json, "runs", "started"))).isPositive();
            assertThat(most(series(json, "runs", "ended"))).isPositive();
            assertThat(most(series(json, "failures", "runs"))).isGreaterThanOrEqualTo(1);
            assertThat(most(series(json, "messages", "turns"))).isPositive();
            assertThat(most(series(json, "jobWaits", "p99"))).isPositive();
            assertThat(most(series(json, "commits", "p50"))).isPositive();
            assertThat(most(series(json, "threadWaits", "p50"))).isPositive();
          });
    }
    JsonNode json = history("?range=1h");
    assertThat(json.path("node").asText()).isEqualTo("node-a");
    assertThat(json.path("range").asText()).isEqualTo("1h");
    assertThat(Instant.parse(json.path("since").asText()))
        .isBetween(before.minusSeconds(60), time.clock().instant());
    assertThat(series(json, "runs", "started").path("unit").asText()).isEqualTo("per second");
    assertThat(series(json, "runs", "started").path("scope").asText()).isEqualTo("CELL");
    assertThat(json.path("measured").get(0).asDouble()).as("before the node was there").isZero();
    assertThat(series(json, "runs", "started").path("values").get(0).isNull()).isTrue();
  }

  @Test
  void theBacklogIsShownByType() {
    assertThat(node.post("/api/v1/types/process/pause").statusCode()).isEqualTo(200);
    for (int i = 0; i < 4; i++) {
      assertThat(node.post("/api/v1/jobs", "{\"command\":[\"true\"]}").statusCode()).isEqualTo(201);
    }
    Eventually.assertThat(
        () -> {
          JsonNode json = history("");
          assertThat(most(series(json, "backlog", "process"))).isEqualTo(4);
          assertThat(most(series(json, "backlog", "other"))).isZero();
        });
  }

  @Test
  void anUnknownRangeIsRefusedWithThoseThereAre() {
    var refused = node.get("/api/v1/history?range=1w");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("15m", "1h", "24h");
  }
}
