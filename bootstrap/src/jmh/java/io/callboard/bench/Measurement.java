package io.callboard.bench;

import java.util.List;

/** Result of the repetitions of one figure. */
record Measurement(double median, double min, double max, int runs) {
  /**
   * @throws IllegalArgumentException if there is no value, or one that is no number
   */
  static Measurement of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    if (!values.stream().allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("%s are not all numbers".formatted(values));
    }
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    return new Measurement(median, sorted.get(0), sorted.get(sorted.size() - 1), sorted.size());
  }
}
