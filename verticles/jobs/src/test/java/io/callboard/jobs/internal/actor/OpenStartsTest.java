package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.runner.RunKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Test of which start is late, and when to look again; the clock is near its overflow. */
class OpenStartsTest {
  private static final RunKey FIRST = new RunKey("a", 1);
  private static final RunKey SECOND = new RunKey("b", 1);

  private final OpenStarts starts = new OpenStarts();

  private static long at(int second) {
    return Long.MAX_VALUE - 5 + Duration.ofSeconds(second).toNanos();
  }

  @Test
  void theOldestStartIsOverdueAfterItsTime() {
    assertThat(starts.untilLook(at(0))).isEmpty();
    starts.begins(FIRST, at(0));
    starts.begins(SECOND, at(10));
    assertThat(starts.untilLook(at(12))).contains(Duration.ofSeconds(18));
    assertThat(starts.late(at(29))).isEmpty();
    assertThat(starts.late(at(30))).contains(FIRST);
    assertThat(starts.untilLook(at(35))).as("no faster").contains(Duration.ofSeconds(1));
  }

  @Test
  void aStartThatReturnsIsNotLate() {
    starts.begins(FIRST, at(0));
    starts.begins(SECOND, at(10));
    starts.returns(FIRST);
    assertThat(starts.late(at(39))).isEmpty();
    assertThat(starts.late(at(40))).contains(SECOND);
    starts.returns(SECOND);
    starts.returns(SECOND);
    assertThat(starts.late(at(100))).isEmpty();
    assertThat(starts.untilLook(at(100))).isEmpty();
  }
}
