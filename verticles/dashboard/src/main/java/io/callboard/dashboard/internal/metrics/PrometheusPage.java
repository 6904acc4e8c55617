package io.callboard.dashboard.internal.metrics;

import io.callboard.admin.Distribution;
import io.callboard.metric.Metric;
import io.callboard.metric.Metric.Buckets;
import io.callboard.metric.Metric.Sample;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** Writer of the text format 0.0.4 of Prometheus. Pure. */
public final class PrometheusPage {
  /** Media type of the text. */
  public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder out = new StringBuilder();

  private PrometheusPage() {}

  /** Returns the text of some metrics, whose names differ. */
  public static String of(List<Metric> metrics) {
    PrometheusPage page = new PrometheusPage();
    metrics.forEach(page::add);
    return page.out.toString();
  }

  private void add(Metric metric) {
    String name = metric.name();
    out.append("# HELP ").append(name).append(' ');
    out.append(metric.help().replace("\\", "\\\\")).append('\n');
    out.append("# TYPE ").append(name).append(' ');
    out.append(metric.kind().name().toLowerCase(Locale.ROOT)).append('\n');
    for (Sample sample : metric.samples()) {
      String labels = labels(sample.labels());
      Buckets buckets = sample.buckets();
      if (buckets == null) {
        line(name, labels, sample.value());
      } else {
        buckets(name, labels, buckets);
      }
    }
  }

  private void buckets(String name, String labels, Buckets buckets) {
    Distribution values = buckets.values();
    String more = labels.isEmpty() ? "" : labels + ",";
    long up = 0;
    for (int i = 0; i < values.bounds().length; i++) {
      up += values.counts()[i];
      String bound = String.valueOf(values.bounds()[i] / buckets.unit());
      line(name + "_bucket", more + label("le", bound), up);
    }
    line(name + "_bucket", more + label("le", "+Inf"), values.count());
    line(name + "_sum", labels, values.sum() / buckets.unit());
    line(name + "_count", labels, values.count());
  }

  private void line(String name, String labels, Number value) {
    out.append(name);
    if (!labels.isEmpty()) {
      out.append('{').append(labels).append('}');
    }
    out.append(' ').append(text(value)).append('\n');
  }

  private static String text(Number value) {
    double number = value.doubleValue();
    return Double.isInfinite(number) ? (number > 0 ? "+Inf" : "-Inf") : value.toString();
  }

  private static String labels(Map<String, String> labels) {
    StringJoiner all = new StringJoiner(",");
    labels.forEach((name, value) -> all.add(label(name, value)));
    return all.toString();
  }

  private static String label(String name, String value) {
    String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return name + "=\"" + escaped + '"';
  }
}
