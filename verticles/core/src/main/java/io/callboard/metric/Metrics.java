package io.callboard.metric;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.admin.Distribution;
import io.callboard.metric.Metric.Buckets;
import io.callboard.metric.Metric.Kind;
import io.callboard.metric.Metric.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Metrics that are being collected, in the order in which they are added. Not thread-safe. Its
 * methods throw {@link IllegalArgumentException} for a second metric of a name, a value of another
 * kind, and labels that are not pairs or that no monitor takes; {@link #all} for names, texts and
 * labels of a metric as {@link Metric} does.
 */
public final class Metrics {
  private final Map<String, Series> all = new LinkedHashMap<>();

  /** Adds a counter with one value. */
  @CanIgnoreReturnValue
  public Metrics counter(String name, String help, Number value) {
    return counters(name, help).add(value).metrics();
  }

  /** Adds a gauge with one value. */
  @CanIgnoreReturnValue
  public Metrics gauge(String name, String help, Number value) {
    return gauges(name, help).add(value).metrics();
  }

  /**
   * Adds a histogram.
   *
   * @param unit divisor of the values, see {@link Buckets#unit}
   */
  @CanIgnoreReturnValue
  public Metrics histogram(String name, String help, Distribution values, double unit) {
    return histograms(name, help).add(values, unit).metrics();
  }

  /** Adds a counter with a value for each of some labels. */
  public Series counters(String name, String help) {
    return series(name, Kind.COUNTER, help);
  }

  /** Adds a gauge with a value for each of some labels. */
  public Series gauges(String name, String help) {
    return series(name, Kind.GAUGE, help);
  }

  /** Adds a histogram for each of some labels. */
  public Series histograms(String name, String help) {
    return series(name, Kind.HISTOGRAM, help);
  }

  private Series series(String name, Kind kind, String help) {
    Series series = new Series(name, kind, help);
    if (all.putIfAbsent(name, series) != null) {
      throw new IllegalArgumentException(
          "there is a metric %s already: add all its values to one".formatted(name));
    }
    return series;
  }

  /** Returns what was added. */
  public List<Metric> all() {
    return all.values().stream().map(Series::metric).toList();
  }

  /** Values of one metric. */
  public final class Series {
    private final String name;
    private final Kind kind;
    private final String help;
    private final List<Sample> samples = new ArrayList<>();

    private Series(String name, Kind kind, String help) {
      this.name = name;
      this.kind = kind;
      this.help = help;
    }

    /**
     * Adds a value.
     *
     * @param labels name, value, name, value…
     */
    @CanIgnoreReturnValue
    public Series add(Number value, String... labels) {
      return add(value, null, labels);
    }

    /**
     * Adds the values of a histogram.
     *
     * @param unit divisor of the values, see {@link Buckets#unit}
     */
    @CanIgnoreReturnValue
    public Series add(Distribution values, double unit, String... labels) {
      return add(values.count(), new Buckets(values, unit), labels);
    }

    private Series add(Number value, @Nullable Buckets buckets, String... labels) {
      if ((kind == Kind.HISTOGRAM) != (buckets != null)) {
        throw new IllegalArgumentException(
            "%s is a %s: add values of that kind".formatted(name, kind));
      }
      if (labels.length % 2 != 0) {
        throw new IllegalArgumentException(
            "the labels of %s are not pairs of name and value".formatted(name));
      }
      Map<String, String> pairs = new LinkedHashMap<>();
      for (int i = 0; i < labels.length; i += 2) {
        pairs.put(labels[i], labels[i + 1]);
      }
      samples.add(new Sample(pairs, value, buckets));
      return this;
    }

    private Metrics metrics() {
      return Metrics.this;
    }

    private Metric metric() {
      return new Metric(name, kind, help, samples);
    }
  }
}
