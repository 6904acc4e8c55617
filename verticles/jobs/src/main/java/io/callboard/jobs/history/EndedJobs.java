package io.callboard.jobs.history;

import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Ended jobs that have a record, by their end: successes apart from the others. Thread-safe. */
@Machine
public final class EndedJobs {
  private final Map<String, Ended> byId = new HashMap<>();
  private final NavigableSet<Ended> successes = new TreeSet<>(Ended.OLDEST_FIRST);
  private final NavigableSet<Ended> others = new TreeSet<>(Ended.OLDEST_FIRST);

  /**
   * Ended job.
   *
   * @param id id of the job
   * @param version its version
   * @param type name of its type
   * @param state state in which it ended
   * @param at time of its end
   */
  public record Ended(String id, long version, String type, JobState state, Instant at) {
    static final Comparator<Ended> OLDEST_FIRST =
        Comparator.comparing(Ended::at).thenComparing(Ended::id);
  }

  /** Records a job as it is now, ended or not. */
  public synchronized void put(Job job) {
    remove(job.id());
    Instant at = job.endedAt();
    if (job.state().terminal() && at != null) {
      Ended ended = new Ended(job.id(), job.version(), job.type(), job.state(), at);
      byId.put(ended.id(), ended);
      boolean unused = order(ended).add(ended);
    }
  }

  /** Removes a job that has no record any more. */
  public synchronized void remove(String id) {
    Ended known = byId.remove(id);
    if (known != null) {
      boolean unused = order(known).remove(known);
    }
  }

  private NavigableSet<Ended> order(Ended ended) {
    return ended.state() == JobState.SUCCEEDED ? successes : others;
  }

  /** Returns the number of ended jobs. */
  public synchronized int size() {
    return byId.size();
  }

  /** Returns whether a job of that id has ended. */
  public synchronized boolean contains(String id) {
    return byId.containsKey(id);
  }

  /** Returns the number of ended jobs that a condition holds for. */
  public synchronized int count(Predicate<Ended> condition) {
    return (int) byId.values().stream().filter(condition).count();
  }

  /** Returns the first ended jobs that a condition holds for, in the order of their ends. */
  public synchronized List<Ended> oldest(int most, Predicate<Ended> condition) {
    return Stream.of(others, successes)
        .flatMap(each -> each.stream().filter(condition).limit(most))
        .sorted(Ended.OLDEST_FIRST)
        .limit(most)
        .toList();
  }

  /**
   * Returns jobs to let go: those that ended too long ago, and the oldest of those beyond the
   * number to keep; successes before others.
   *
   * @param kept number of jobs to keep
   * @param since jobs that ended before this time may be old; those after it are not
   * @param old whether a job is let go whatever their number; asked of those before that time
   * @param most maximum number to return
   * @param ready whether a job can be let go now; others count, but are not returned
   */
  public synchronized List<Ended> due(
      int kept, Instant since, int most, Predicate<Ended> old, Predicate<Ended> ready) {
    List<Ended> due = new ArrayList<>();
    int excess = byId.size() - kept;
    for (NavigableSet<Ended> each : List.of(successes, others)) {
      for (Ended ended : each) {
        if (due.size() == most || (excess <= 0 && !ended.at().isBefore(since))) {
          break;
        }
        boolean goes = excess > 0 || old.test(ended);
        if (goes) {
          excess--;
        }
        if (goes && ready.test(ended)) {
          due.add(ended);
        }
      }
    }
    return due;
  }
}
