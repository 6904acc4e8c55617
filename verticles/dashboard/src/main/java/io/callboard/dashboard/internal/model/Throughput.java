package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Counter of runs that started and ended, in all and in the last seconds, by the second of the
 * report. Thread-safe.
 */
public final class Throughput {
  private static final int SECONDS = 4;

  private final long[] second = new long[SECONDS];
  private final int[] startedIn = new int[SECONDS];
  private final int[] endedIn = new int[SECONDS];
  private long started;
  private long ended;

  /** Counts runs that have started and ended, as reported at {@code now}. */
  public synchronized void note(long starts, long ends, Instant now) {
    int slot = slot(now.getEpochSecond());
    started += starts;
    startedIn[slot] += (int) starts;
    ended += ends;
    endedIn[slot] += (int) ends;
  }

  private int slot(long epochSecond) {
    int slot = (int) (epochSecond % SECONDS);
    if (second[slot] != epochSecond) {
      second[slot] = epochSecond;
      startedIn[slot] = 0;
      endedIn[slot] = 0;
    }
    return slot;
  }

  /**
   * Returns totals, and the counts of the last whole second: {@code {at, started, ended,
   * startedPerSecond, …}}.
   */
  public synchronized ObjectNode rate(Instant now) {
    long last = now.getEpochSecond() - 1;
    int slot = (int) (last % SECONDS);
    boolean known = second[slot] == last;
    return JsonNodeFactory.instance
        .objectNode()
        .put("at", last)
        .put("started", started)
        .put("ended", ended)
        .put("startedPerSecond", known ? startedIn[slot] : 0)
        .put("endedPerSecond", known ? endedIn[slot] : 0);
  }

  /** Returns the number of runs that have started. */
  public synchronized long started() {
    return started;
  }

  /** Returns the number of runs that have ended. */
  public synchronized long ended() {
    return ended;
  }
}
