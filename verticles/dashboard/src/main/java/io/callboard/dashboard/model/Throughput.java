package io.callboard.dashboard.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Counter of runs that started and ended, by the second in which that was reported, for the last
 * {@value #SECONDS} seconds. Thread-safe.
 */
public final class Throughput {
  /** Number of seconds that are remembered. */
  public static final int SECONDS = 300;

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

  /**
   * Returns the counts of the whole seconds up to now: {@code {from, started:[…], ended:[…]}}, with
   * {@code from} in epoch seconds.
   */
  public synchronized ObjectNode history(Instant now) {
    long from = now.getEpochSecond() - SECONDS + 1;
    ObjectNode history = JsonNodeFactory.instance.objectNode().put("from", from);
    ArrayNode starts = history.putArray("started");
    ArrayNode ends = history.putArray("ended");
    for (long at = from; at < now.getEpochSecond(); at++) {
      int slot = (int) (at % SECONDS);
      boolean known = second[slot] == at;
      starts.add(known ? startedIn[slot] : 0);
      ends.add(known ? endedIn[slot] : 0);
    }
    return history;
  }
}
