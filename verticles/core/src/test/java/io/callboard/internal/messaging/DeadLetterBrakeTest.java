package io.callboard.internal.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.messaging.DeadLetters.Brake;
import io.callboard.internal.messaging.DeadLetters.Brake.Line;
import org.junit.jupiter.api.Test;

/** Tests of the choice of dead letters that are logged one by one. */
class DeadLetterBrakeTest {
  private final Brake brake = new Brake();

  @Test
  void theFirstOfAWindowAreWrittenAndTheOthersCounted() {
    long now = Long.MAX_VALUE - 5; // the clock may turn over
    for (int i = 0; i < Brake.MOST; i++) {
      assertThat(brake.next(now + i)).isEqualTo(Line.WRITTEN);
    }
    assertThat(brake.next(now + 100)).isEqualTo(Line.FIRST_HELD_BACK);
    assertThat(brake.next(now + 101)).isEqualTo(Line.HELD_BACK);
    assertThat(brake.heldBack()).isEqualTo(2);
    assertThat(brake.heldBack()).isZero();
    assertThat(brake.next(now + 102)).isEqualTo(Line.FIRST_HELD_BACK);
    assertThat(brake.next(now + Brake.WINDOW_NANOS)).isEqualTo(Line.WRITTEN);
    assertThat(brake.heldBack()).isEqualTo(1);
  }
}
