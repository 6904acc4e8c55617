package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.actor.DrainWait.Next;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DrainWaitTest {
  private static final long BEGUN = -5;
  private static final long LIMIT = Duration.ofSeconds(10).toNanos();
  private static final long SOON = BEGUN + LIMIT / 2;
  private static final long LATE = BEGUN + LIMIT;

  private final DrainWait drain = new DrainWait(Duration.ofSeconds(10), BEGUN);

  @Test
  void theWaitEndsAtOnceWithoutRunsAndGrants() {
    assertThat(drain.answered(0, 0, BEGUN)).isEqualTo(Next.OVER);
  }

  @Test
  void theWaitIsForRunsHereAndForGrantsOnTheirWay() {
    assertThat(drain.answered(1, 1, SOON)).isEqualTo(Next.LOOK_AGAIN);
    assertThat(drain.answered(0, 1, SOON)).as("granted, not here yet").isEqualTo(Next.LOOK_AGAIN);
    assertThat(drain.answered(1, 0, SOON)).as("its job knows it").isEqualTo(Next.LOOK_AGAIN);
  }

  @Test
  void theGateIsAskedOnlyWithoutRunsHere() {
    assertThat(drain.looked(2, SOON)).isEqualTo(Next.LOOK_AGAIN);
    assertThat(drain.looked(0, SOON)).isEqualTo(Next.ASK_GATE);
  }

  @Test
  void withoutTheGateTheWaitIsForRunsHere() {
    for (int i = 0; i < 100; i++) {
      assertThat(drain.unanswered(1, SOON)).isEqualTo(Next.LOOK_AGAIN);
    }
    assertThat(drain.unanswered(0, SOON)).isEqualTo(Next.OVER);
  }

  @Test
  void aGateThatMovesIsAskedAgain() {
    assertThat(drain.unanswered(0, SOON)).isEqualTo(Next.LOOK_AGAIN);
    assertThat(drain.unanswered(0, SOON)).isEqualTo(Next.LOOK_AGAIN);
    assertThat(drain.answered(0, 1, SOON)).isEqualTo(Next.LOOK_AGAIN);
    assertThat(drain.unanswered(0, SOON)).isEqualTo(Next.LOOK_AGAIN);
    assertThat(drain.unanswered(0, SOON)).isEqualTo(Next.LOOK_AGAIN);
    assertThat(drain.unanswered(0, SOON)).as("it is away").isEqualTo(Next.OVER);
  }

  @Test
  void theLimitEndsTheWaitDespiteRunsThatAreLeft() {
    assertThat(drain.looked(3, LATE)).isEqualTo(Next.OVER);
    assertThat(drain.looked(0, LATE)).isEqualTo(Next.OVER);
    assertThat(drain.answered(3, 3, LATE)).isEqualTo(Next.OVER);
    assertThat(drain.unanswered(3, LATE)).isEqualTo(Next.OVER);
    assertThat(new DrainWait(Duration.ZERO, 7).unanswered(0, 7)).isEqualTo(Next.OVER);
    assertThat(drain.left(SOON)).isEqualTo(Duration.ofNanos(LIMIT / 2));
    assertThat(drain.left(LATE + 1)).isEqualTo(Duration.ZERO);
  }
}
