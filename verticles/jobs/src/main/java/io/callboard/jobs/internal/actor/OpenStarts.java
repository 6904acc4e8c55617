package io.callboard.jobs.internal.actor;

import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Starts of runs that were asked for and have not returned, oldest first. A start returns when the
 * process is there, or has failed; one that does neither, as on a disk that does not answer, would
 * otherwise keep its slot without a word. No I/O, no clock.
 */
@Machine
final class OpenStarts {
  /** Time after which a start that has not returned is a fault of the host. */
  static final Duration MOST = Duration.ofSeconds(30);

  /** Least time between two looks, while a start is late. */
  private static final Duration LEAST_PAUSE = Duration.ofSeconds(1);

  private final Map<RunKey, Long> begunNs = new LinkedHashMap<>();

  /** Adds a start that begins now. */
  void begins(RunKey run, long nowNs) {
    begunNs.putIfAbsent(run, nowNs);
  }

  /** Removes a start that has returned. */
  void returns(RunKey run) {
    begunNs.remove(run);
  }

  /** Returns the oldest start, if it is overdue. */
  Optional<RunKey> late(long nowNs) {
    return oldest()
        .filter(start -> nowNs - start.getValue() >= MOST.toNanos())
        .map(Map.Entry::getKey);
  }

  /** Returns the time until the next check for overdue starts; empty without starts. */
  Optional<Duration> untilLook(long nowNs) {
    return oldest()
        .map(start -> MOST.minusNanos(nowNs - start.getValue()))
        .map(left -> left.compareTo(LEAST_PAUSE) < 0 ? LEAST_PAUSE : left);
  }

  private Optional<Map.Entry<RunKey, Long>> oldest() {
    return begunNs.entrySet().stream().findFirst();
  }
}
