package io.callboard.dashboard.internal.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.Distribution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesTest {
  private static final Instant START = Instant.parse("2026-11-27T03:00:00Z");
  private static final long[] BOUNDS = {1_000_000, 2_000_000_000};

  private final History history = new History();

  private ObjectNode read(Range range, int second, boolean jobs) {
    return Series.of(history.read(range, START.plusSeconds(second)), jobs);
  }

  private static JsonNode last(ObjectNode json, String chart, String name) {
    for (JsonNode series : json.path("series")) {
      if (series.path("chart").asText().equals(chart)
          && series.path("name").asText().equals(name)) {
        assertThat(series.path("values")).hasSize(Range.STEPS);
        return series.path("values").get(Range.STEPS - 1);
      }
    }
    throw new AssertionError("no curve " + chart + " " + name);
  }

  private static List<String> names(ObjectNode json, String chart) {
    List<String> names = new ArrayList<>();
    for (JsonNode series : json.path("series")) {
      if (series.path("chart").asText().equals(chart)) {
        names.add(series.path("name").asText());
      }
    }
    return names;
  }

  private void take(int second, long handled, Map<String, Long> backlog, long... waits) {
    history.take(
        START.plusSeconds(second),
        new Sample(
            Map.of(Recorder.HANDLED, handled, Recorder.PARKED, handled),
            backlog,
            Map.of(Recorder.JOB_WAITS, new Distribution(BOUNDS, waits, 0))));
  }

  @Test
  void ratesArePerSecondFailuresPerStepAndQuantilesInSeconds() {
    take(0, 0, Map.of(), 0, 0, 0);
    take(5, 12, Map.of(), 0, 100, 0);
    ObjectNode json = read(Range.QUARTER, 6, true);
    assertThat(json.path("since").asText()).isEqualTo("2026-11-27T03:00:00Z");
    assertThat(json.path("step").asText()).isEqualTo("PT5S");
    assertThat(json.path("measured").get(Range.STEPS - 1).asDouble()).isEqualTo(5);
    assertThat(last(json, "messages", "handled").asDouble()).isEqualTo(2.4);
    assertThat(last(json, "failures", "parked").asDouble()).isEqualTo(12);
    assertThat(last(json, "jobWaits", "p50").asDouble()).isEqualTo(1.001, within(1e-3));
    assertThat(last(json, "commits", "p99").isNull()).as("nothing was committed").isTrue();
    take(10, 12, Map.of(), 0, 100, 0);
    ObjectNode then = read(Range.QUARTER, 11, true);
    assertThat(last(then, "messages", "handled").asDouble()).isZero();
    assertThat(last(then, "jobWaits", "p99").isNull()).isTrue();
    ObjectNode hour = read(Range.HOUR, 11, true);
    assertThat(last(hour, "messages", "handled").asDouble()).isEqualTo(1.2);
    assertThat(last(hour, "failures", "parked").asDouble()).isEqualTo(12);
    assertThat(json.path("measured").get(0).asDouble()).isZero();
    assertThat(json.path("series").get(0).path("values").get(0).isNull()).as("a gap").isTrue();
  }

  private static org.assertj.core.data.Offset<Double> within(double value) {
    return org.assertj.core.data.Offset.offset(value);
  }

  @Test
  void theTypesThatWaitMostHaveTheirOwnCurve() {
    Map<String, Long> backlog = new HashMap<>();
    for (int i = 1; i <= 9; i++) {
      backlog.put("t" + i, (long) i);
    }
    take(0, 0, Map.of(), 0, 0, 0);
    take(5, 0, backlog, 0, 0, 0);
    ObjectNode json = read(Range.QUARTER, 6, true);
    assertThat(names(json, "backlog"))
        .containsExactly("t3", "t4", "t5", "t6", "t7", "t8", "t9", "other");
    assertThat(last(json, "backlog", "t9").asDouble()).isEqualTo(9);
    assertThat(last(json, "backlog", "other").asDouble()).isEqualTo(3);
  }

  @Test
  void aNodeWithoutJobsHasNoCurvesOfThem() {
    take(0, 0, Map.of(), 0, 0, 0);
    ObjectNode json = read(Range.DAY, 1, false);
    assertThat(names(json, "runs")).isEmpty();
    assertThat(names(json, "backlog")).isEmpty();
    assertThat(names(json, "failures")).containsExactly("actors", "parked", "dead");
  }
}
