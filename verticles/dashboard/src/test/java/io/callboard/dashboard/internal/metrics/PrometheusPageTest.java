package io.callboard.dashboard.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.admin.Distribution;
import io.callboard.metric.Metrics;
import org.junit.jupiter.api.Test;

class PrometheusPageTest {
  @Test
  void eachMetricHasItsHelpItsTypeAndItsLines() {
    Metrics metrics = new Metrics();
    metrics.counter("a_total", "of a \\ b", 7);
    metrics.gauges("b", "of b").add(2.5, "x", "\"\\\n", "y", "2").add(Double.NaN);
    metrics.gauge("c", "of c", Double.POSITIVE_INFINITY);
    assertThat(PrometheusPage.of(metrics.all()))
        .isEqualTo(
            """
            # HELP a_total of a \\\\ b
            # TYPE a_total counter
            a_total 7
            # HELP b of b
            # TYPE b gauge
            b{x="\\"\\\\\\n",y="2"} 2.5
            b NaN
            # HELP c of c
            # TYPE c gauge
            c +Inf
            """);
  }

  @Test
  void aHistogramHasCumulativeBucketsInItsUnit() {
    Distribution values = new Distribution(new long[] {1_000, 2_000}, new long[] {3, 1, 2}, 9_000);
    Metrics metrics = new Metrics();
    metrics.histograms("h_seconds", "of h").add(values, 1e3, "zone", "z");
    assertThat(PrometheusPage.of(metrics.all()))
        .isEqualTo(
            """
            # HELP h_seconds of h
            # TYPE h_seconds histogram
            h_seconds_bucket{zone="z",le="1.0"} 3
            h_seconds_bucket{zone="z",le="2.0"} 4
            h_seconds_bucket{zone="z",le="+Inf"} 6
            h_seconds_sum{zone="z"} 9.0
            h_seconds_count{zone="z"} 6
            """);
  }
}
