package io.callboard.jobs;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether this host can start runs: after a start that failed for want of something of the host's
 * (room, a directory, processes) it takes none until a probe has worked. Probes come at growing
 * intervals, which start over with the first run that starts. Pure; one thread changes it, any
 * reads it.
 */
final class HostFitness {
  static final Duration FIRST_PROBE = Duration.ofSeconds(1);
  static final Duration LAST_PROBE = Duration.ofMinutes(1);

  private static final int MOST_DOUBLINGS = 6;

  private int failures;
  private boolean probing;
  private volatile @Nullable String fault;

  /** Why it takes no runs; empty if it does. */
  Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  /**
   * A run could not be started.
   *
   * @return when to probe; empty if a probe is on its way
   */
  Optional<Duration> failed(String why) {
    fault = why;
    if (probing) {
      return Optional.empty();
    }
    probing = true;
    return Optional.of(next());
  }

  /** The probe failed, too; returns when to probe again. */
  Duration probeFailed(String why) {
    fault = why;
    return next();
  }

  /** The probe worked: runs may come again. */
  void probed() {
    probing = false;
    fault = null;
  }

  /** A run has started. */
  void started() {
    if (!probing) {
      failures = 0;
    }
  }

  private Duration next() {
    Duration wait = FIRST_PROBE.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
    failures++;
    return wait.compareTo(LAST_PROBE) < 0 ? wait : LAST_PROBE;
  }
}
