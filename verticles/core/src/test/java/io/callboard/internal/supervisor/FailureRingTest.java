package io.callboard.internal.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.supervision.Directive;
import io.callboard.supervision.Failure;
import io.callboard.supervision.Failure.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the failures of an actor that are kept. */
class FailureRingTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

  private final FailureRing ring = new FailureRing();

  private static Failure failure(int second, Kind kind, String node) {
    String cause = "no " + new String("x");
    return new Failure(
        THEN.plusSeconds(second), kind, cause, new String("\tat x"), node, second, 1, null, null);
  }

  private void add(int second, Kind kind) {
    ring.add(failure(second, kind, "a"));
  }

  @Test
  void theLastOnesAreRemembered() {
    for (int i = 0; i < 1_000; i++) {
      add(i, Kind.THROWN);
    }
    List<Failure> all = ring.all();
    assertThat(all).hasSize(FailureRing.MOST);
    assertThat(all).extracting(Failure::restarts).startsWith(980).endsWith(999).isSorted();
    assertThat(all.stream().filter(each -> each.stack() != null)).hasSize(FailureRing.STACKS);
    assertThat(all.get(19).stack()).as("one text for all").isSameAs(all.get(15).stack());
    assertThat(all.get(19).cause()).isSameAs(all.get(0).cause());
  }

  @Test
  void interruptionsInARowAreOneAndTheNextStormAnother() {
    for (int i = 0; i < 100; i++) {
      add(i, Kind.INTERRUPTED);
      ring.decided(Directive.RESTART, Duration.ofSeconds(i));
    }
    add(100, Kind.THROWN);
    add(101, Kind.INTERRUPTED);
    assertThat(ring.all()).extracting(Failure::times).containsExactly(100L, 1L, 1L);
    assertThat(ring.all().get(0).at()).isEqualTo(THEN.plusSeconds(99));
    assertThat(ring.all().get(0).delay()).isEqualTo(Duration.ofSeconds(99));
  }

  @Test
  void aDecisionIsAboutTheLastOneThatEndedALife() {
    ring.decided(Directive.RESTART, null); // of nothing
    add(1, Kind.THROWN);
    add(2, Kind.BLOCKED);
    add(3, Kind.POISONED);
    ring.decided(Directive.RESTART, Duration.ofSeconds(1));
    ring.decided(Directive.PARK, null); // it is decided
    assertThat(ring.all())
        .extracting(Failure::decision)
        .containsExactly(Directive.RESTART, null, null);
  }

  @Test
  void readersFindTheStackThoughNobodyWaitedForIt() {
    for (int i = 0; i < 10; i++) {
      IllegalStateException cause = new IllegalStateException("no");
      ring.add(Failure.brief(THEN.plusSeconds(i), Kind.THROWN, cause, "a", i), cause);
      ring.decided(Directive.RESTART, Duration.ofSeconds(i));
    }
    List<Failure> all = ring.all();
    assertThat(all).extracting(Failure::delay).doesNotContainNull();
    assertThat(all.subList(0, 5)).extracting(Failure::stack).containsOnlyNulls();
    assertThat(all.subList(5, 10))
        .allSatisfy(each -> assertThat(each.stack()).contains("FailureRingTest."))
        .allSatisfy(each -> assertThat(each.stack()).isSameAs(all.get(9).stack()));
  }

  @Test
  void failuresFromElsewhereTakeNobodysStack() {
    IllegalStateException cause = new IllegalStateException("no");
    ring.add(Failure.brief(THEN, Kind.THROWN, cause, "a", 0), cause);
    ring.merge(List.of(failure(5, Kind.THROWN, "b")));
    assertThat(ring.all().get(0).stack()).contains("FailureRingTest");
    assertThat(ring.all().get(1).stack()).isEqualTo("\tat x");
  }

  @Test
  void failuresFromElsewhereComeToTheirPlaceAndOnce() {
    List<Failure> others = Stream.of(1, 2, 5).map(i -> failure(i, Kind.THROWN, "b")).toList();
    add(3, Kind.START);
    ring.decided(Directive.RESTART, Duration.ZERO);
    add(6, Kind.START);
    ring.merge(others);
    ring.merge(others);
    ring.merge(List.of(failure(3, Kind.START, "a"))); // as it was stored before the decision
    assertThat(ring.all()).extracting(Failure::restarts).containsExactly(1, 2, 3, 5, 6);
    assertThat(ring.all().get(2).decision()).isEqualTo(Directive.RESTART);
  }

  /** Whatever comes in whatever order: bounded, sorted after a merge, nothing twice. */
  @Test
  void aRingKeepsItsRulesWhateverHappens() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FailureRing other = new FailureRing();
      for (int i = 0; i < 100; i++) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        (random.nextBoolean() ? ring : other).add(failure(i, kind, "n" + random.nextInt(2)));
        switch (random.nextInt(4)) {
          case 0 -> ring.decided(Directive.RESTART, Duration.ofMillis(i));
          case 1 -> ring.merge(other.all());
          default -> {}
        }
        assertThat(ring.all()).as("seed %d", seed).hasSizeLessThanOrEqualTo(FailureRing.MOST);
      }
      ring.merge(other.all());
      assertThat(ring.all()).as("seed %d", seed).extracting(Failure::at).isSorted();
      assertThat(ring.all()).as("seed %d", seed).doesNotHaveDuplicates();
    }
  }
}
