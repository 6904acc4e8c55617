package io.callboard.internal.failurezone;

import io.callboard.supervision.FailureStreak;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Streak of failures of one child of a {@link FailureZoneMachine}: counts them until the child has
 * run well. A life has run well that has lasted for a time, and in which the child has worked.
 * Thread-safe.
 */
@Machine
public final class Streak {
  private long failures;
  private @Nullable Instant since;
  private boolean isUp;
  private boolean worked;
  private long upSinceNs;

  Streak() {}

  /** Notes that a life runs. */
  synchronized void up(long nowNs) {
    isUp = true;
    worked = false;
    upSinceNs = nowNs;
  }

  /** Notes that the child has worked in this life. */
  synchronized void worked() {
    worked = isUp;
  }

  /**
   * Notes that nothing of the life is left, or of a start.
   *
   * @return whether it has run well
   */
  synchronized boolean down(Duration resetAfter, long nowNs) {
    boolean well = runsWell(worked, resetAfter, nowNs);
    isUp = false;
    worked = false;
    return well;
  }

  private boolean runsWell(boolean works, Duration resetAfter, long nowNs) {
    return isUp && works && nowNs - upSinceNs >= resetAfter.toNanos();
  }

  /** Counts a failure. */
  synchronized void failed() {
    failures++;
  }

  /** Ends the streak. */
  synchronized void over() {
    failures = 0;
    since = null;
  }

  /** Returns the number of failures, also if the child runs well by now. */
  synchronized long failures() {
    return failures;
  }

  /** Dates the first failure, unless that is dated. */
  public synchronized void dated(Instant at) {
    if (failures > 0 && since == null) {
      since = at;
    }
  }

  /**
   * Returns the streak at a time; null if there is none, or none any more.
   *
   * @param works whether the child has worked in this life, so far
   */
  public synchronized @Nullable FailureStreak at(boolean works, Duration resetAfter, long nowNs) {
    return since == null || runsWell(works, resetAfter, nowNs)
        ? null
        : new FailureStreak(since, failures);
  }
}
