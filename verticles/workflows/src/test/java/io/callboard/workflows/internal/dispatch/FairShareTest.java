package io.callboard.workflows.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bound of fair sharing, and that nobody gains by resting. */
class FairShareTest {
  private static final int GRANTS = 5_000;

  @Test
  void eachDefinitionHasItsShareOfAnyNumberOfGrantsWithinTheBound() {
    for (long seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Map<String, Integer> weights = new TreeMap<>();
      int count = 1 + random.nextInt(12);
      for (int i = 0; i < count; i++) {
        weights.put("d" + i, 1 + random.nextInt(16));
      }
      bound(seed, weights);
    }
  }

  private static void bound(long seed, Map<String, Integer> weights) {
    FairShare share = new FairShare();
    weights.forEach(share::waits);
    int sum = weights.values().stream().mapToInt(Integer::intValue).sum();
    Map<String, Integer> got = new HashMap<>();
    for (int total = 1; total <= GRANTS; total++) {
      String next = share.next();
      share.granted(next);
      got.merge(next, 1, Integer::sum);
      for (Map.Entry<String, Integer> of : weights.entrySet()) {
        double part = (double) of.getValue() / sum;
        double more = got.getOrDefault(of.getKey(), 0) - total * part;
        assertThat(more)
            .as("seed %s: %s of %s after %s grants", seed, of, weights, total)
            .isLessThanOrEqualTo(1.000_1)
            .isGreaterThanOrEqualTo(-weights.size() * part - 0.000_1);
      }
    }
  }

  /** A definition with one request at a time gets no more than one that always waits. */
  @Test
  void aDefinitionThatPausesGainsNoTurns() {
    FairShare share = new FairShare();
    share.waits("always", 1);
    Map<String, Integer> got = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      share.waits("one-by-one", 1);
      String next = share.next();
      share.granted(next);
      if (next.equals("one-by-one")) {
        share.rests(next);
      }
      got.merge(next, 1, Integer::sum);
    }
    assertThat(got.get("one-by-one")).isBetween(499, 501);
  }

  @Test
  void aDefinitionThatWasIdleGetsNoBacklogOfTurns() {
    FairShare share = new FairShare();
    share.waits("early", 1);
    for (int i = 0; i < 1_000; i++) {
      share.granted("early");
    }
    share.waits("late", 1);
    int late = 0;
    for (int i = 0; i < 100; i++) {
      String next = share.next();
      late += next.equals("late") ? 1 : 0;
      share.granted(next);
    }
    assertThat(late).isBetween(49, 51);
  }
}
