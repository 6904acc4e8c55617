package io.callboard.jobs.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.JobSpec;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class RowTimesTest {
  /** Else a filter by the year 3000 would be one by a year before all jobs. */
  @Test
  void timesBeyondNanosecondsKeepTheirOrder() {
    assertThat(IndexRow.nanos(JobSpec.LATEST)).isEqualTo(Long.MAX_VALUE);
    assertThat(IndexRow.nanos(Instant.parse("2263-01-01T00:00:00Z"))).isEqualTo(Long.MAX_VALUE);
    assertThat(IndexRow.nanos(Instant.parse("2262-01-01T00:00:00Z"))).isLessThan(Long.MAX_VALUE);
    assertThat(IndexRow.nanos(JobSpec.EARLIEST)).isNegative().isGreaterThan(IndexRow.NOT_ENDED);
  }
}
