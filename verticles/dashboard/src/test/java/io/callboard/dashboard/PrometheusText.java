package io.callboard.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Strict reader of the text format 0.0.4 of Prometheus: any irregularity fails the test. */
final class PrometheusText {
  private static final Pattern BUCKET = Pattern.compile("(.+)_bucket\\{(.*)le=\"[^\"]*\"}");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-zA-Z_:][a-zA-Z0-9_:]*)"
              + "(?:\\{((?:[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\n]|\\\\[\"\\\\n])*\",?)+)\\})?"
              + " (-?[0-9]+(?:\\.[0-9]+)?(?:E-?[0-9]+)?|NaN|[+-]Inf)");

  /** Values by name and labels as they stand in the text. */
  final Map<String, Double> samples = new LinkedHashMap<>();

  /** Types by name. */
  final Map<String, String> types = new HashMap<>();

  private String family = "";

  static PrometheusText read(String text) {
    PrometheusText read = new PrometheusText();
    assertThat(text).endsWith("\n");
    text.lines().forEach(read::line);
    read.types.forEach(
        (name, type) -> {
          if (type.equals("histogram")) {
            read.checkHistogram(name);
          }
        });
    return read;
  }

  private void line(String line) {
    String[] words = line.split(" ", 4);
    if (line.startsWith("# HELP ")) {
      assertThat(types).as("a metric comes once").doesNotContainKey(words[2]);
      family = words[2];
    } else if (line.startsWith("# TYPE ")) {
      assertThat(words[2]).isEqualTo(family);
      assertThat(words[3]).isIn("counter", "gauge", "histogram");
      assertThat(types.put(family, words[3])).isNull();
    } else {
      Matcher sample = SAMPLE.matcher(line);
      assertThat(sample.matches()).as(line).isTrue();
      String name = sample.group(1);
      boolean histogram = "histogram".equals(types.get(family));
      String base = histogram ? name.replaceFirst("_(bucket|sum|count)$", "") : name;
      assertThat(base).as(line).isEqualTo(family);
      assertThat(name.endsWith("_total")).as(line).isEqualTo("counter".equals(types.get(family)));
      String key = sample.group(2) == null ? name : name + "{" + sample.group(2) + "}";
      assertThat(samples.put(key, Double.valueOf(sample.group(3)))).as(line).isNull();
    }
  }

  /** Checks each series of a histogram, by the labels other than {@code le}. */
  private void checkHistogram(String name) {
    Map<String, Double> last = new LinkedHashMap<>();
    for (Map.Entry<String, Double> sample : samples.entrySet()) {
      Matcher bucket = BUCKET.matcher(sample.getKey());
      if (bucket.matches() && bucket.group(1).equals(name)) {
        Double before = last.put(bucket.group(2), sample.getValue());
        assertThat(sample.getValue())
            .as(sample.getKey())
            .isGreaterThanOrEqualTo(before == null ? 0 : before);
      }
    }
    assertThat(last).isNotEmpty();
    last.forEach(
        (labels, highest) -> {
          String all = labels.isEmpty() ? "" : "{" + labels.substring(0, labels.length() - 1) + "}";
          assertThat(samples.get(name + "_bucket{" + labels + "le=\"+Inf\"}")).isEqualTo(highest);
          assertThat(value(name + "_count" + all)).isEqualTo(highest);
          assertThat(samples).containsKey(name + "_sum" + all);
        });
  }

  double value(String sample) {
    assertThat(samples).containsKey(sample);
    return samples.getOrDefault(sample, Double.NaN);
  }

  long series(String name) {
    return samples.keySet().stream().filter(key -> key.startsWith(name + "{")).count();
  }
}
