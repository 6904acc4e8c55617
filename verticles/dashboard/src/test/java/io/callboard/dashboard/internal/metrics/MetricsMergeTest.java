package io.callboard.dashboard.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.metric.Metric;
import io.callboard.metric.Metrics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetricsMergeTest {
  private final MetricsMerge merge = new MetricsMerge();

  private static List<Metric> counter(String name) {
    return new Metrics().counter(name, "help", 1).all();
  }

  /** Returns how many metrics were left out, by part and reason. */
  private Map<String, Integer> leftOut() {
    Metric found =
        merge.all().stream()
            .filter(metric -> metric.name().equals("callboard_metrics_left_out"))
            .findAny()
            .orElseThrow();
    return found.samples().stream()
        .collect(
            Collectors.toMap(
                sample -> String.join(" ", sample.labels().values()),
                sample -> sample.value().intValue()));
  }

  @Test
  void aPartAddsItsMetrics() {
    merge.add(counter("callboard_a"));
    merge.add("shop", Optional.of(counter("shop_orders_total")));
    assertThat(merge.all())
        .extracting(Metric::name)
        .containsExactly("callboard_a", "shop_orders_total", "callboard_metrics_left_out");
    assertThat(leftOut()).isEmpty();
  }

  @Test
  void aNameThatIsTakenIsLeftOutAndCounted() {
    merge.add(counter("callboard_a"));
    merge.add("shop", Optional.of(counter("shop_a")));
    merge.add("evil", Optional.of(counter("callboard_a")));
    merge.add("worse", Optional.of(counter("callboard_metrics_left_out")));
    merge.add("other", Optional.of(counter("shop_a")));
    assertThat(merge.all()).extracting(Metric::name).doesNotHaveDuplicates();
    assertThat(leftOut()).isEqualTo(Map.of("evil TAKEN", 1, "worse TAKEN", 1, "other TAKEN", 1));
  }

  @Test
  void metricsBeyondTheLimitOfAPartAreLeftOutAndCounted() {
    Metrics many = new Metrics();
    Metrics.Series full = many.gauges("full", "help");
    for (int i = 0; i < MetricsMerge.MOST_SAMPLES; i++) {
      full.add(i, "n", String.valueOf(i));
    }
    many.gauge("more", "help", 1);
    merge.add("shop", Optional.of(many.all()));
    merge.add("small", Optional.of(counter("small")));
    assertThat(merge.all())
        .extracting(Metric::name)
        .contains("full", "small")
        .doesNotContain("more");
    assertThat(leftOut()).isEqualTo(Map.of("shop TOO_MANY", 1));
  }

  @Test
  void aPartThatCannotBeReadIsCounted() {
    merge.add("shop", Optional.empty());
    assertThat(leftOut()).isEqualTo(Map.of("shop FAILED", 1));
  }
}
