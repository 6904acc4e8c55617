package io.callboard.workflows.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowRetentionTest {
  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT1M0.001S"})
  void aTimeBetweenPassesOutOfItsRangeIsRefused(String every) {
    Duration given = Duration.parse(every);
    assertThatThrownBy(() -> WorkflowRetention.DEFAULT.every(given))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "every is %s: a time between passes is more than PT0S, and PT1M at most", given);
  }

  @Test
  void theTimeBetweenPassesStaysWhenOtherValuesChange() {
    WorkflowRetention often = WorkflowRetention.DEFAULT.every(Duration.ofMillis(1));
    assertThat(often.rows(Duration.ofDays(3), Duration.ofDays(4)).every())
        .isEqualTo(Duration.ofMillis(1));
    assertThat(WorkflowRetention.DEFAULT.every()).isEqualTo(Duration.ofSeconds(5));
  }
}
