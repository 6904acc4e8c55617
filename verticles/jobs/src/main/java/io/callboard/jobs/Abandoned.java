package io.callboard.jobs;

import io.callboard.jobs.process.RunKey;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs that their own host kills for a reason that is not theirs (it stops, it lost its session):
 * how they end is no outcome, they are lost and run again. Thread-safe.
 */
final class Abandoned {
  private final Set<RunKey> runs = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  void add(Collection<RunKey> live) {
    runs.addAll(live);
  }

  /** The host stops: nothing more is told of any run. */
  void stop() {
    stopping = true;
  }

  boolean isStopping() {
    return stopping;
  }

  /** Whether the end of that run is no outcome; asked once. */
  boolean remove(RunKey run) {
    return runs.remove(run);
  }
}
