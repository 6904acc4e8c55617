package io.callboard.jobs.internal.actor;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import io.callboard.time.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Circuit breaker for the starts of this host: after a start that failed for lack of a resource of
 * the host (space, a directory, processes) it takes no runs until a probe has succeeded. A probe
 * may test less than a start needs: if the first start after it fails, too, the fault stays, and
 * each later successful probe lets one run through, until a run has started. Probes come at growing
 * intervals, which start over with the first run that starts. While a start hangs it takes no runs
 * either, whatever probes say. Pure; one thread changes it, any may read it.
 */
@Machine
final class HostFitness {
  static final Duration FIRST_PROBE = Duration.ofSeconds(1);
  static final Duration LAST_PROBE = Duration.ofMinutes(1);

  private static final ExponentialBackoff PROBES = Backoff.exponential(FIRST_PROBE, LAST_PROBE);

  private int failures;

  /** {@code true} if a start failed after a successful probe. */
  private volatile boolean probesSeeLess;

  private volatile State state = State.FIT;
  private volatile @Nullable Fault fault;

  /** Fault that a start does not return; null while all do. */
  private volatile @Nullable Fault hanging;

  /**
   * Sign that the host cannot start runs.
   *
   * @param why why, for people
   * @param since when it began
   */
  record Fault(String why, Instant since) {}

  private enum State {
    FIT,
    /** Taking no runs until a probe has succeeded. */
    PROBING,
    /** Half-open, as of a circuit breaker: a probe has succeeded, no run has started since. */
    HALF_OPEN
  }

  /**
   * Returns that a start hangs, or why the last start failed; empty if there is no sign that the
   * host cannot start runs.
   */
  Optional<Fault> fault() {
    return Optional.ofNullable(hanging).or(() -> Optional.ofNullable(fault));
  }

  /**
   * Returns the number of slots to report.
   *
   * @param slots slots of the host
   * @param here runs that it has
   */
  int slots(int slots, int here) {
    if (hanging != null) {
      return 0;
    }
    return switch (state) {
      case FIT -> slots;
      case PROBING -> 0;
      case HALF_OPEN -> probesSeeLess ? Math.min(slots, here + 1) : slots;
    };
  }

  /**
   * Records that a run could not be started.
   *
   * @return time until the next probe; empty if one is under way
   */
  Optional<Duration> failed(String why, Instant now) {
    says(why, now);
    if (state == State.PROBING) {
      return Optional.empty();
    }
    probesSeeLess |= state == State.HALF_OPEN;
    state = State.PROBING;
    return Optional.of(next());
  }

  /** Records that the probe failed, too; returns the time until the next. */
  Duration probeFailed(String why, Instant now) {
    says(why, now);
    return next();
  }

  /** Records that the probe succeeded: runs may come again. */
  void probed() {
    state = State.HALF_OPEN;
    if (!probesSeeLess) {
      fault = null;
    }
  }

  /**
   * Records that a run has started.
   *
   * @return whether the host takes more runs than before
   */
  boolean started() {
    if (state == State.PROBING) {
      return false; // started before the failed one was tried
    }
    boolean news = probesSeeLess;
    state = State.FIT;
    failures = 0;
    probesSeeLess = false;
    fault = null;
    return news;
  }

  /**
   * Records that a start does not return.
   *
   * @return whether that is news
   */
  boolean hangs(String why, Instant now) {
    boolean news = hanging == null;
    if (news) {
      hanging = new Fault(why, now);
    }
    return news;
  }

  /**
   * Records that no start hangs.
   *
   * @return whether one did
   */
  boolean hangsNoMore() {
    boolean news = hanging != null;
    hanging = null;
    return news;
  }

  private void says(String why, Instant now) {
    Fault known = fault;
    fault = new Fault(why, known == null ? now : known.since());
  }

  private Duration next() {
    failures++;
    return PROBES.longest(failures);
  }
}
