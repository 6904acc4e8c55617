package io.callboard.examples.search;

import io.callboard.examples.search.Found.Hit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Decision whether a query may end early. A hit is good if it has at least half the score of the
 * best one so far; scores of all shares can be compared, see {@link Statistics}.
 *
 * @param enough so many good hits end the query; 0 if it is to have the hits of all shares
 * @param scores of the hits so far; none if {@code enough} is 0
 */
record GoodHits(int enough, List<Float> scores) {
  private static final float PART_OF_THE_BEST = 0.5f;

  GoodHits(int enough) {
    this(enough, List.of());
  }

  GoodHits plus(Found found) {
    if (enough == 0) {
      return this;
    }
    List<Float> all = new ArrayList<>(scores);
    found.hits().stream().map(Hit::score).forEach(all::add);
    return new GoodHits(enough, List.copyOf(all));
  }

  boolean areEnough() {
    if (enough == 0 || scores.size() < enough) {
      return false;
    }
    float least = Collections.max(scores) * PART_OF_THE_BEST;
    return scores.stream().filter(score -> score >= least).count() >= enough;
  }
}
