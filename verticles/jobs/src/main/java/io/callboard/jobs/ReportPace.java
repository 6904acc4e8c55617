package io.callboard.jobs;

import io.callboard.time.Machine;
import java.util.Optional;

/**
 * Pace of the reports that a host repeats to the gate: after {@value #MOST} reports, the gate's
 * mailbox must be checked, and as long as the gate does not read it, no report is sent. Each report
 * is superseded by the next, and would be stored until a gate comes, which may be never.
 *
 * <p>The gate does not read if the message that has waited longest is the same as at the last look.
 * Whatever it reads changes that, so a host always goes on with its gate. No other sign of the
 * store is as good: a report that bypasses the mailbox leaves no trace there.
 */
@Machine
final class ReportPace {
  /** Number of reports without a look; at most twice as many of a host wait unread. */
  static final int MOST = 3;

  private Optional<String> longest = Optional.empty();
  private int sent;

  /**
   * Processes a check of the gate's mailbox.
   *
   * @param now the place of the message that has waited longest; empty if none waits
   */
  void looked(Optional<String> now) {
    if (now.isEmpty() || !now.equals(longest)) {
      sent = 0;
    }
    longest = now;
  }

  /** Records that a report was sent. */
  void reported() {
    sent++;
  }

  /** Returns whether reports wait for a check that finds the gate reading its mailbox. */
  boolean holdsBack() {
    return sent >= MOST;
  }
}
