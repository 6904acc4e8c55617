package io.callboard.dashboard.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobRun;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counter of runs that started and ended, by the second, for the last {@value #SECONDS} seconds.
 * Costs one look at each change of a job and nothing else. Thread-safe.
 */
public final class Throughput {
  /** Number of seconds that are remembered. */
  public static final int SECONDS = 300;

  private static final int MOST_JOBS = 20_000;

  private final Instant since;
  private final long[] second = new long[SECONDS];
  private final int[] startedIn = new int[SECONDS];
  private final int[] endedIn = new int[SECONDS];
  private final Map<String, Seen> seen =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > MOST_JOBS;
        }
      };
  private long started;
  private long ended;

  /** Part of a job that is counted already. */
  private record Seen(int runId, boolean started, boolean ended) {}

  /**
   * Creates the counter.
   *
   * @param since time before which runs are not counted
   */
  public Throughput(Instant since) {
    this.since = since;
  }

  /**
   * Counts a change of {@code job} at {@code now}; a repeated call for the same change has no
   * effect.
   */
  public synchronized void note(Job job, Instant now) {
    if (job.runs().isEmpty()) {
      return;
    }
    JobRun run = job.runs().get(job.runs().size() - 1);
    Seen before = seen.remove(job.id());
    boolean same = before != null && before.runId() == run.runId();
    boolean wasStarted = same && before != null && before.started();
    boolean wasEnded = same && before != null && before.ended();
    seen.put(
        job.id(),
        new Seen(
            run.runId(), wasStarted || run.startedAt() != null, wasEnded || run.endedAt() != null));
    int slot = slot(now.getEpochSecond());
    if (!wasStarted && counts(run.startedAt())) {
      started++;
      startedIn[slot]++;
    }
    if (!wasEnded && counts(run.endedAt())) {
      ended++;
      endedIn[slot]++;
    }
  }

  private boolean counts(@Nullable Instant at) {
    return at != null && !at.isBefore(since);
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
