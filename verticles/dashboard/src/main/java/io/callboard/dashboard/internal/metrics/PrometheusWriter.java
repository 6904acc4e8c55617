package io.callboard.dashboard.internal.metrics;

import io.callboard.admin.Distribution;

/** Writer of the text format 0.0.4 of Prometheus. */
final class PrometheusWriter {
  private final StringBuilder out = new StringBuilder();

  /** Begins a metric: its lines follow, without another metric between them. */
  void head(String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  void counter(String name, String help, long value) {
    head(name, "counter", help);
    line(name, "", value);
  }

  void gauge(String name, String help, long value) {
    head(name, "gauge", help);
    line(name, "", value);
  }

  /**
   * Adds a line.
   *
   * @param labels labels, as {@link #label} makes them; empty for none
   */
  void line(String name, String labels, long value) {
    begin(name, labels).append(value).append('\n');
  }

  void line(String name, String labels, double value) {
    begin(name, labels).append(value).append('\n');
  }

  private StringBuilder begin(String name, String labels) {
    out.append(name);
    if (!labels.isEmpty()) {
      out.append('{').append(labels).append('}');
    }
    return out.append(' ');
  }

  /**
   * Adds a histogram.
   *
   * @param unit divisor of the values
   */
  void histogram(String name, String help, Distribution values, double unit) {
    head(name, "histogram", help);
    buckets(name, "", values, unit);
  }

  /** Adds the lines of a histogram below its head. */
  void buckets(String name, String labels, Distribution values, double unit) {
    String more = labels.isEmpty() ? "" : labels + ",";
    long up = 0;
    for (int i = 0; i < values.bounds().length; i++) {
      up += values.counts()[i];
      line(name + "_bucket", more + label("le", String.valueOf(values.bounds()[i] / unit)), up);
    }
    line(name + "_bucket", more + label("le", "+Inf"), values.count());
    line(name + "_sum", labels, values.sum() / unit);
    line(name + "_count", labels, values.count());
  }

  static String label(String name, String value) {
    String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return name + "=\"" + escaped + '"';
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
