package io.callboard.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published algorithm, case by case; see {@link SlottedBackoff} for where it comes from. */
class SlottedBackoffTest {
  private static final Duration SLOT = Duration.ofMillis(10);

  /** Draws the highest that is asked for, so that each wait is its bound. */
  private static final class Highest implements RandomGenerator {
    final List<Integer> asked = new ArrayList<>();

    @Override
    public int nextInt(int bound) {
      asked.add(bound);
      return bound - 1;
    }

    @Override
    public long nextLong() {
      throw new AssertionError("only nextInt(bound) is drawn");
    }
  }

  private record Row(long waitMs, long retries, long resets, long total) {
    static Row of(Retries retries) {
      return new Row(
          retries.delay().toMillis(), retries.retries(), retries.resets(), retries.total());
    }
  }

  private static List<Row> rows(Retries from, int steps, RandomGenerator random) {
    List<Row> rows = new ArrayList<>();
    Retries now = from;
    for (int i = 0; i < steps; i++) {
      now = now.next(random);
      rows.add(Row.of(now));
    }
    return rows;
  }

  @Test
  void growsSlotBySlotAndStaysAtTheCeiling() {
    Highest highest = new Highest();
    assertThat(rows(Backoff.slotted(SLOT, 4, true).begin(), 7, highest))
        .containsExactly(
            new Row(10, 1, 0, 1),
            new Row(30, 2, 0, 2),
            new Row(70, 3, 0, 3),
            new Row(150, 4, 0, 4),
            new Row(150, 5, 0, 5),
            new Row(150, 6, 0, 6),
            new Row(150, 7, 0, 7));
    assertThat(highest.asked).containsExactly(2, 3, 4, 5, 5, 5, 5);
  }

  @Test
  void resetsWhenItsTurnIsTheCeilings() {
    Highest highest = new Highest();
    assertThat(rows(Backoff.slotted(SLOT, 4, false).begin(), 9, highest))
        .containsExactly(
            new Row(10, 1, 0, 1),
            new Row(30, 2, 0, 2),
            new Row(70, 3, 0, 3),
            new Row(0, 0, 1, 3),
            new Row(10, 1, 1, 4),
            new Row(30, 2, 1, 5),
            new Row(70, 3, 1, 6),
            new Row(0, 0, 2, 6),
            new Row(10, 1, 2, 7));
    assertThat(highest.asked).containsExactly(2, 3, 4, 2, 3, 4, 2);
  }

  /** The published test asserts this after eleven times with the ceiling at ten. */
  @Test
  void elevenTimesWithCeilingTenResetOnce() {
    for (int seed = 0; seed < 100; seed++) {
      Row last =
          rows(Backoff.slotted(SLOT, 10, false).begin(), 11, new SplittableRandom(seed)).get(10);
      assertThat(last.resets()).isEqualTo(1);
      assertThat(last.waitMs()).isIn(0L, 10L);
      assertThat(last.total()).isEqualTo(10);
    }
  }

  @Test
  void theLowestCeilings() {
    assertThat(rows(Backoff.slotted(SLOT, 1, true).begin(), 3, new Highest()))
        .containsExactly(new Row(10, 1, 0, 1), new Row(10, 2, 0, 2), new Row(10, 3, 0, 3));
    assertThat(rows(Backoff.slotted(SLOT, 2, false).begin(), 3, new Highest()))
        .containsExactly(new Row(10, 1, 0, 1), new Row(0, 0, 1, 1), new Row(10, 1, 1, 2));
  }

  @Test
  void afterSuccessItBeginsWithTheFirstSlotAndKeepsTheTotal() {
    Highest highest = new Highest();
    Retries retries = Backoff.slotted(SLOT, 4, true).begin().next(highest).next(highest);
    assertThat(Row.of(retries.reset())).isEqualTo(new Row(0, 0, 1, 2));
    assertThat(Row.of(retries.reset().next(highest))).isEqualTo(new Row(10, 1, 1, 3));
    assertThat(Row.of(retries.reset().reset())).isEqualTo(new Row(0, 0, 2, 2));
  }

  @Test
  void eachSlotHasItsWaitsAndNoOther() {
    SplittableRandom random = new SplittableRandom(1);
    SlottedBackoff backoff = Backoff.slotted(SLOT, 4, true);
    List<Set<Long>> waits =
        List.of(
            Set.of(0L, 10L),
            Set.of(0L, 10L, 30L),
            Set.of(0L, 10L, 30L, 70L),
            Set.of(0L, 10L, 30L, 70L, 150L),
            Set.of(0L, 10L, 30L, 70L, 150L));
    for (int retries = 0; retries < waits.size(); retries++) {
      Set<Long> seen = new TreeSet<>();
      for (int i = 0; i < 1_000; i++) {
        Retries at = new Retries(backoff, retries, 0, retries, Duration.ZERO);
        seen.add(at.next(random).delay().toMillis());
      }
      assertThat(seen).isEqualTo(waits.get(retries));
    }
  }

  @Test
  void eachWaitOfASlotIsAsLikely() {
    SplittableRandom random = new SplittableRandom(2);
    Retries at = new Retries(Backoff.slotted(SLOT, 10, true), 20, 0, 20, Duration.ZERO);
    TreeMap<Duration, Integer> cells = new TreeMap<>();
    int draws = 44_000;
    for (int i = 0; i < draws; i++) {
      cells.merge(at.next(random).delay(), 1, Integer::sum);
    }
    assertThat(cells).hasSize(11);
    double expected = draws / 11.0;
    double chiSquare =
        cells.values().stream().mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
    assertThat(chiSquare).as("10 degrees of freedom, one of 1,000").isLessThan(29.6);
  }

  @Test
  void everyCountOfRetriesIsWithinTheBound() {
    SplittableRandom random = new SplittableRandom(3);
    for (boolean stay : new boolean[] {true, false}) {
      for (Duration slot : List.of(Duration.ofNanos(1), SLOT)) {
        int ceiling = slot.equals(SLOT) ? 36 : 59;
        SlottedBackoff backoff = Backoff.slotted(slot, ceiling, stay);
        Duration bound = slot.multipliedBy((1L << ceiling) - 1);
        assertThat(bound).isLessThanOrEqualTo(Time.LONGEST);
        for (int i = 0; i < 73; i++) {
          long retries = i < 71 ? i : i == 71 ? 1_000_000 : Long.MAX_VALUE;
          Retries at = new Retries(backoff, retries, 0, retries, Duration.ZERO);
          Duration own = retries < ceiling ? slot.multipliedBy((1L << (retries + 1)) - 1) : bound;
          for (int draw = 0; draw < 50; draw++) {
            assertThat(at.next(random).delay()).isBetween(Duration.ZERO, own);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.01S,0,true,stays at its ceiling needs a ceiling of 1 to 36",
    "PT0.01S,1,false,resets at its ceiling needs a ceiling of 2 to 36",
    "PT0.01S,37,true,stays at its ceiling needs a ceiling of 1 to 36",
    "PT0.000000001S,60,false,resets at its ceiling needs a ceiling of 2 to 59",
    "PT240000H,2,true,stays at its ceiling needs a ceiling of 1 to 1"
  })
  void saysWhichCeilingIsRight(Duration slot, int ceiling, boolean stay, String right) {
    assertThatThrownBy(() -> Backoff.slotted(slot, ceiling, stay))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "slotted backoff with slotTime %s that %s, not %d".formatted(slot, right, ceiling));
  }

  @ParameterizedTest
  @CsvSource({"PT0S,true,PT240000H", "PT-1S,false,PT80000H", "PT80000H0.1S,false,PT80000H"})
  void saysWhichSlotTimeIsRight(Duration slot, boolean stay, String longest) {
    assertThatThrownBy(() -> Backoff.slotted(slot, 2, stay))
        .hasMessage("slotted backoff needs 0 < slotTime <= %s, not %s".formatted(longest, slot));
  }
}
