package io.callboard.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Figure of ours, with those of the peers that did the same in the same run. */
@JsonPropertyOrder({"name", "unit", "betterIs", "ours", "peers", "ratio"})
record Case(
    String name, String unit, Better betterIs, Measurement ours, Map<String, Measurement> peers) {
  /** Direction in which a figure is better. */
  enum Better {
    @JsonProperty("higher")
    HIGHER,
    @JsonProperty("lower")
    LOWER
  }

  /** Returns by which factor ours is better, for each peer; above 1 is better. */
  @JsonProperty("ratio")
  Map<String, Double> ratio() {
    Map<String, Double> ratios = new LinkedHashMap<>();
    peers.forEach((peer, theirs) -> ratios.put(peer, ratio(theirs)));
    return ratios;
  }

  /** Returns the ratio of the medians. */
  private double ratio(Measurement theirs) {
    return betterIs == Better.HIGHER
        ? ours.median() / theirs.median()
        : theirs.median() / ours.median();
  }
}
