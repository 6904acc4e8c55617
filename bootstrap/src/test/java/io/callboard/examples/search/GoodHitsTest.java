package io.callboard.examples.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.search.Found.Hit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GoodHitsTest {
  private static Found hits(Float... scores) {
    List<Hit> hits = Stream.of(scores).map(score -> new Hit("document", score, List.of())).toList();
    return new Found(0, hits.size(), hits, true);
  }

  @Test
  void hitsOfHalfTheBestScoreAreGood() {
    GoodHits two = new GoodHits(2).plus(hits(4f, 1.9f));
    assertThat(two.areEnough()).isFalse();
    assertThat(two.plus(hits(2f)).areEnough()).isTrue();
  }

  @Test
  void aBetterHitMakesOthersNoLongerGood() {
    GoodHits two = new GoodHits(2).plus(hits(4f, 3f));
    assertThat(two.areEnough()).isTrue();
    assertThat(two.plus(hits(9f)).areEnough()).isFalse();
  }

  @Test
  void withoutANumberNothingIsEnough() {
    assertThat(new GoodHits(0).plus(hits(4f, 4f, 4f)).areEnough()).isFalse();
    assertThat(new GoodHits(1).plus(hits()).areEnough()).isFalse();
  }
}
