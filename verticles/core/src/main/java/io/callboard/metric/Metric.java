package io.callboard.metric;

import io.callboard.admin.Distribution;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Metric of a node with its present values.
 *
 * @param name letters, digits and underscores, with the unit and {@code _total} as Prometheus has
 *     them, such as {@code shop_orders_total}
 * @param help what it measures, in one line
 * @param samples its values, each with other labels; no more than a monitor can keep
 */
public record Metric(String name, Kind kind, String help, List<Sample> samples) {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  /** Kind of a metric. */
  public enum Kind {
    /** Only rises, and begins at 0 with the process. */
    COUNTER,
    /** Rises and falls. */
    GAUGE,
    /** Counts values by size. */
    HISTOGRAM
  }

  /**
   * @throws IllegalArgumentException if a monitor could not take the name, the text or a label, or
   *     two samples have the same labels
   */
  public Metric {
    requireName("a metric", name);
    Objects.requireNonNull(kind, "kind");
    if (help.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("the help of " + name + " is not one line");
    }
    samples = List.copyOf(samples);
    Set<Map<String, String>> known = new HashSet<>();
    for (Sample sample : samples) {
      if (!known.add(sample.labels())) {
        throw new IllegalArgumentException(
            "%s has two values for the labels %s".formatted(name, sample.labels()));
      }
    }
  }

  private static void requireName(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no name of %s: use letters, digits and _, the first no digit"
              .formatted(name, what));
    }
  }

  /**
   * Value of a metric.
   *
   * @param labels names and values, in their order
   * @param value the value, the number of values of a histogram
   * @param buckets of a histogram; null for others
   */
  public record Sample(Map<String, String> labels, Number value, @Nullable Buckets buckets) {
    /**
     * @throws IllegalArgumentException if a monitor could not take the name of a label
     */
    public Sample {
      Objects.requireNonNull(value, "value");
      labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
      labels.forEach(
          (name, text) -> {
            requireName("a label", name);
            Objects.requireNonNull(text, name);
            if (name.startsWith("__") || name.equals("le")) {
              throw new IllegalArgumentException(
                  "the label %s is for monitors: use another name".formatted(name));
            }
          });
    }
  }

  /**
   * Values of a histogram.
   *
   * @param unit number by which bounds and sum are divided, such as 1e9 for seconds of nanoseconds
   */
  public record Buckets(Distribution values, double unit) {}
}
