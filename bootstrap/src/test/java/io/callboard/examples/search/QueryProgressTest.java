package io.callboard.examples.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.search.QueryProgress.Step;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class QueryProgressTest {
  private final QueryProgress progress = new QueryProgress(4, List.of("b", "a"), 1000, 2000);

  @Test
  void theOtherTreeIsAskedForWhatIsMissing() {
    Step first = progress.next(1000);
    assertThat(first).isEqualTo(new Step.Ask(1, "b", List.of(0, 1, 2, 3), 1588));
    assertThat(progress.tree()).isEqualTo("b");
    assertThat(progress.answered(0)).isTrue();
    assertThat(progress.answered(0)).isFalse();
    assertThat(progress.answered(2)).isTrue();
    assertThat(progress.awaits(1)).isTrue();

    assertThat(progress.next(1100)).isEqualTo(new Step.Ask(2, "a", List.of(1, 3), 1628));
    assertThat(progress.awaits(1)).isFalse();
    assertThat(progress.answered(1)).isTrue();
    assertThat(progress.answered(3)).isTrue();
    assertThat(progress.isPartial()).isFalse();
    assertThat(progress.next(1200)).isEqualTo(new Step.End());
    assertThat(progress.isAsking()).isFalse();
  }

  @Test
  void oneTreeAloneHasAllTheTime() {
    assertThat(new QueryProgress(2, List.of("a"), 1000, 2000).next(1000))
        .isEqualTo(new Step.Ask(1, "a", List.of(0, 1), 1980));
  }

  @Test
  void nearTheDeadlineItEndsWithoutWhatIsMissing() {
    assertThat(progress.next(1000)).isInstanceOf(Step.Ask.class);
    assertThat(progress.answered(1)).isTrue();
    assertThat(progress.next(1990)).isEqualTo(new Step.End());
    assertThat(progress.isPartial()).isTrue();
    assertThat(progress.missing()).containsExactly(0, 2, 3);
  }

  @Test
  void fromTheThirdAttemptOnItPauses() {
    assertThat(progress.next(1000)).isInstanceOf(Step.Ask.class);
    assertThat(progress.next(1001)).isInstanceOf(Step.Ask.class);
    assertThat(progress.next(1002)).isEqualTo(new Step.Wait(1021));
    assertThat(progress.next(1021)).isInstanceOf(Step.Ask.class);
    assertThat(progress.next(1022)).isEqualTo(new Step.Wait(1061));
  }

  /** The query ends in time and asks only for missing shares, whatever fails or arrives. */
  @RepeatedTest(200)
  void aQueryAlwaysEnds(RepetitionInfo info) {
    Random random = new Random(info.getCurrentRepetition());
    int shares = 1 + random.nextInt(5);
    long deadline = 50 + random.nextInt(2000);
    QueryProgress query =
        new QueryProgress(
            shares, random.nextBoolean() ? List.of("a") : List.of("a", "b"), 0, deadline);
    Set<Integer> answered = new HashSet<>();
    long now = 0;
    int asks = 0;
    Step step = query.next(now);
    while (!(step instanceof Step.End)) {
      long until;
      if (step instanceof Step.Ask ask) {
        assertThat(ask.attempt()).isEqualTo(++asks);
        assertThat(ask.shares()).isNotEmpty().noneMatch(answered::contains);
        assertThat(ask.shares().size() + answered.size()).isEqualTo(shares);
        until = ask.deadline();
        for (int share : ask.shares()) {
          if (random.nextBoolean()) {
            assertThat(query.answered(share)).isTrue();
            answered.add(share);
          }
        }
      } else {
        until = ((Step.Wait) step).until();
      }
      assertThat(until).isGreaterThanOrEqualTo(now).isLessThanOrEqualTo(deadline);
      now = random.nextBoolean() ? until : now + random.nextInt((int) (until - now) + 1);
      step = query.next(now);
    }
    assertThat(asks).isLessThanOrEqualTo(QueryProgress.MAX_ATTEMPTS);
    assertThat(now).isLessThanOrEqualTo(deadline);
    assertThat(query.isPartial()).isEqualTo(answered.size() < shares);
    assertThat(query.answeredShares()).isEqualTo(answered.size());
  }
}
