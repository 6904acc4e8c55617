package io.callboard.jobs.actor;

import java.time.Duration;

/** Decides how long a host that is to stop waits for its runs. Pure: the time is an argument. */
final class RunDrain {
  /** What is to be done next. */
  enum Next {
    /** Ask the gate how many runs it has granted to this host that have not ended. */
    ASK_GATE,
    /** Look again at the runs that are here, a moment later. */
    LOOK_AGAIN,
    /** Wait no longer. */
    OVER
  }

  /** In a row; then the gate is away and not just moving. */
  static final int MOST_UNANSWERED = 3;

  private final long untilNs;
  private int unanswered;

  RunDrain(Duration limit, long nowNs) {
    this.untilNs = nowNs + limit.toNanos();
  }

  /**
   * After a look at this host. That nothing is here is not enough: what was granted may be on its
   * way, and its job may not have reported its end to the gate yet.
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
   * The gate, which knew by then that this host takes no more runs, has answered.
   *
   * @param granted runs that it counts on this host
   */
  Next answered(int here, int granted, long nowNs) {
    unanswered = 0;
    return isOver(nowNs) || (here == 0 && granted == 0) ? Next.OVER : Next.LOOK_AGAIN;
  }

  /**
   * The gate did not answer. What runs here is waited for in any case, what may come only as long
   * as the gate may be on its way to another node.
   */
  Next unanswered(int here, long nowNs) {
    unanswered++;
    boolean away = here == 0 && unanswered >= MOST_UNANSWERED;
    return isOver(nowNs) || away ? Next.OVER : Next.LOOK_AGAIN;
  }

  /** How much is left of the time. */
  Duration left(long nowNs) {
    return Duration.ofNanos(Math.max(0, untilNs - nowNs));
  }

  private boolean isOver(long nowNs) {
    return untilNs - nowNs <= 0;
  }
}
