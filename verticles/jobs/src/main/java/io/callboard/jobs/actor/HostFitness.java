package io.callboard.jobs.actor;

import io.callboard.time.Machine;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Circuit breaker for the starts of this host: after a start that failed for want of a resource of
 * the host (room, a directory, processes) it takes none until a probe has worked. A probe may see
 * less than a start needs: if the first start after it fails, too, the fault stays, and each later
 * probe that works lets one run through, until a run has started. Probes come at growing intervals,
 * which start over with the first run that starts. Pure; one thread changes it, any reads it.
 */
@Machine
final class HostFitness {
  static final Duration FIRST_PROBE = Duration.ofSeconds(1);
  static final Duration LAST_PROBE = Duration.ofMinutes(1);

  private static final int MOST_DOUBLINGS = 6;

  private int failures;

  /** Whether a start failed after a probe that worked. */
  private volatile boolean probesSeeLess;

  private volatile State state = State.FIT;
  private volatile @Nullable String fault;

  private enum State {
    FIT,
    /** It takes no runs. */
    PROBING,
    /** As of a circuit breaker: the probe has worked, no run has started since. */
    HALF_OPEN
  }

  /** Why it could start nothing when it tried last; empty if there is no sign that it cannot. */
  Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  /** How many runs it may have when it has {@code here} already, of that many slots. */
  int slots(int slots, int here) {
    return switch (state) {
      case FIT -> slots;
      case PROBING -> 0;
      case HALF_OPEN -> probesSeeLess ? Math.min(slots, here + 1) : slots;
    };
  }

  /**
   * A run could not be started.
   *
   * @return when to probe; empty if a probe is on its way
   */
  Optional<Duration> failed(String why) {
    fault = why;
    if (state == State.PROBING) {
      return Optional.empty();
    }
    probesSeeLess |= state == State.HALF_OPEN;
    state = State.PROBING;
    return Optional.of(next());
  }

  /** The probe failed, too; returns when to probe again. */
  Duration probeFailed(String why) {
    fault = why;
    return next();
  }

  /** The probe worked: runs may come again. */
  void probed() {
    state = State.HALF_OPEN;
    if (!probesSeeLess) {
      fault = null;
    }
  }

  /**
   * A run has started.
   *
   * @return whether it takes more runs again than before
   */
  boolean started() {
    if (state == State.PROBING) {
      return false; // it was asked for before the one that failed
    }
    boolean news = probesSeeLess;
    state = State.FIT;
    failures = 0;
    probesSeeLess = false;
    fault = null;
    return news;
  }

  private Duration next() {
    Duration wait = FIRST_PROBE.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
    failures++;
    return wait.compareTo(LAST_PROBE) < 0 ? wait : LAST_PROBE;
  }
}
