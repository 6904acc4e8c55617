package io.callboard.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RendezvousHashTest {
  private static final int KEYS = 20_000;

  private static String best(String key, Map<String, Double> weights) {
    String best = "";
    double highest = -1;
    for (Map.Entry<String, Double> each : weights.entrySet()) {
      double score = RendezvousHash.score(key, each.getKey(), each.getValue());
      if (score > highest) {
        highest = score;
        best = each.getKey();
      }
    }
    return best;
  }

  @Test
  void sharesAreInProportionToTheWeights() {
    Map<String, Double> weights = Map.of("a", 1.0, "b", 2.0, "c", 0.5, "d", 4.0);
    Map<String, Integer> shares = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      shares.merge(best("space~" + i, weights), 1, Integer::sum);
    }
    weights.forEach(
        (name, weight) ->
            assertThat(shares.get(name) / (double) KEYS)
                .as(name)
                .isCloseTo(weight / 7.5, within(0.015)));
  }

  @Test
  void aNewNodeTakesItsShareAndNothingElseMoves() {
    Map<String, Double> before = Map.of("a", 1.0, "b", 1.0, "c", 1.0);
    Map<String, Double> after = new HashMap<>(before);
    after.put("d", 1.0);
    int moved = 0;
    for (int i = 0; i < KEYS; i++) {
      String was = best("space~" + i, before);
      String is = best("space~" + i, after);
      if (!is.equals(was)) {
        moved++;
        assertThat(is).isEqualTo("d");
      }
    }
    assertThat(moved / (double) KEYS).isCloseTo(0.25, within(0.015));
  }

  /** The scores are stored facts: nodes of two versions must rank alike. */
  @Test
  void scoresStayWhatTheyAre() {
    assertThat(RendezvousHash.of("space~7", "node-1")).isEqualTo(3_832_326_157_617_700_808L);
    assertThat(List.of(RendezvousHash.score("space~7", "node-1", 1)))
        .allMatch(score -> score > 0 && Double.isFinite(score));
  }
}
