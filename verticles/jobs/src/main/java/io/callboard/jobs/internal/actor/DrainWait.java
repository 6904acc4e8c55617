package io.callboard.jobs.internal.actor;

import java.time.Duration;

/** Decides how long a stopping host waits for its runs. Pure: the time is an argument. */
final class DrainWait {
  /** Next step of the drain. */
  enum Next {
    /** Asks the gate how many runs it has granted to this host that have not ended. */
    ASK_GATE,
    /** Looks again, a moment later, at the runs that are here. */
    LOOK_AGAIN,
    /** Waits no longer. */
    OVER
  }

  /**
   * Number of consecutive questions without an answer after which the gate is away, not just
   * moving.
   */
  static final int MOST_UNANSWERED = 3;

  private final long untilNs;
  private int unanswered;

  DrainWait(Duration limit, long nowNs) {
    this.untilNs = nowNs + limit.toNanos();
  }

  /**
   * Decides after a count of the runs on this host. No runs here is not enough: a granted run may
   * be on its way, and its job may not have reported its end to the gate yet.
   *
   * @param here runs that were asked for and whose jobs do not know their ends yet
   */
  Next looked(int here, long nowNs) {
    if (isOver(nowNs)) {
      return Next.OVER;
    }
    return here == 0 ? Next.ASK_GATE : Next.LOOK_AGAIN;
  }

  /**
   * Decides after an answer of the gate, which knew by then that this host takes no more runs.
   *
   * @param granted runs that it counts on this host
   */
  Next answered(int here, int granted, long nowNs) {
    unanswered = 0;
    return isOver(nowNs) || (here == 0 && granted == 0) ? Next.OVER : Next.LOOK_AGAIN;
  }

  /**
   * Decides when the gate did not answer. Runs here are waited for in any case, possible further
   * ones only as long as the gate may be moving to another node.
   */
  Next unanswered(int here, long nowNs) {
    unanswered++;
    boolean away = here == 0 && unanswered >= MOST_UNANSWERED;
    return isOver(nowNs) || away ? Next.OVER : Next.LOOK_AGAIN;
  }

  /** Returns the remaining time. */
  Duration left(long nowNs) {
    return Duration.ofNanos(Math.max(0, untilNs - nowNs));
  }

  private boolean isOver(long nowNs) {
    return untilNs - nowNs <= 0;
  }
}
