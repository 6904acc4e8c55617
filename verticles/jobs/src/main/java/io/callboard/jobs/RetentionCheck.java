package io.callboard.jobs;

import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.TypeRetention;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Checks the retention of a type. */
final class RetentionCheck {
  private static final Duration LONGEST = Duration.ofDays(3_660);

  private RetentionCheck() {}

  /** Returns what is wrong with a retention; null if nothing is. */
  static @Nullable JobException fault(TypeRetention retention) {
    JobException fault = row("successes", retention.successes());
    if (fault == null) {
      fault = row("failures", retention.failures());
    }
    if (fault == null) {
      fault = within("files", retention.files(), Duration.ZERO);
    }
    return fault == null ? within("logs", retention.logs(), Duration.ZERO) : fault;
  }

  /** Jobs are kept at least as long as an idempotency key may name them. */
  private static @Nullable JobException row(String name, @Nullable Duration time) {
    return within(name, time, JobRetention.SHORTEST_ROWS);
  }

  private static @Nullable JobException within(
      String name, @Nullable Duration time, Duration shortest) {
    boolean good = time == null || (time.compareTo(shortest) >= 0 && time.compareTo(LONGEST) <= 0);
    return good
        ? null
        : new JobException(
            Code.INVALID,
            "/retention/" + name,
            "%s are kept for %s to P3660D, not %s".formatted(name, shortest, time));
  }
}
