package io.callboard.internal.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.internal.supervisor.FailureLines.Line;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests of the log lines about an actor's failures. */
class FailureLinesTest {
  private static final long SECOND = 1_000_000_000L;
  private final FailureLines lines = new FailureLines();
  private long now = Long.MAX_VALUE - 5 * SECOND;

  private static Throwable failure() {
    return new IllegalStateException("always made here");
  }

  private Line next(Throwable cause) {
    now += SECOND;
    return lines.next(cause, now);
  }

  @Test
  void theStackIsLoggedOnceAtTheFirstFailureOfItsKind() {
    assertThat(next(failure())).isEqualTo(new Line(true, true, 1));
    assertThat(next(failure())).isEqualTo(new Line(true, false, 2));
    assertThat(next(new IllegalStateException("made elsewhere")).stack()).isTrue();
    assertThat(next(failure()).stack()).isFalse();
  }

  @Test
  void aStormIsLoggedByItsPowersOfTwo() {
    assertThat(
            LongStream.rangeClosed(1, 100)
                .mapToObj(i -> next(failure()))
                .filter(Line::written)
                .map(Line::number))
        .containsExactly(1L, 2L, 3L, 4L, 8L, 16L, 32L, 64L);
  }

  @Test
  void afterAMinuteOfQuietEachFailureIsLoggedAgainWithoutItsStack() {
    LongStream.rangeClosed(1, 100).forEach(i -> next(failure()));
    now += FailureLines.QUIET_NANOS;
    assertThat(next(failure())).isEqualTo(new Line(true, false, 1));
  }

  @Test
  void aCauseWithoutFramesIsAKindOfItsOwnAndKindsAreBounded() {
    Throwable bare = failure();
    bare.setStackTrace(new StackTraceElement[0]);
    assertThat(next(bare).stack()).isTrue();
    assertThat(next(bare).stack()).isFalse();
    for (int i = 0; i < FailureLines.MOST_KINDS; i++) {
      Throwable other = failure();
      other.setStackTrace(new StackTraceElement[] {new StackTraceElement("A", "b", "A.java", i)});
      assertThat(next(other).stack()).isTrue();
    }
    assertThat(next(bare).stack()).as("the oldest is forgotten").isTrue();
  }
}
