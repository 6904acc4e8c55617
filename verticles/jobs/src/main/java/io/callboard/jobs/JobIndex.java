package io.callboard.jobs;

import io.callboard.jobs.history.EndedJobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobCounts;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Index of all jobs as this node last heard of them, by id, hence by age. The newest version wins,
 * so updates may come in any order, twice, or not at all until the next reading of the store.
 */
final class JobIndex {
  private static final int MOST_GONE = 10_000;

  private final ConcurrentNavigableMap<String, Job> jobs = new ConcurrentSkipListMap<>();
  private final List<Consumer<Job>> listeners = new CopyOnWriteArrayList<>();
  private final List<Consumer<Job>> removals = new CopyOnWriteArrayList<>();

  /**
   * Last versions of jobs that went recently, whose older readings and messages are to be ignored;
   * of a deleted job any version is. Guarded by itself.
   */
  private final Map<String, Long> gone =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST_GONE;
        }
      };

  private final EndedJobs endedJobs = new EndedJobs();

  private final LongAdder ended = new LongAdder();
  private final AtomicInteger waiting = new AtomicInteger();

  /** Approximate number of tombstones in the cell. */
  private final AtomicInteger tombstones = new AtomicInteger();

  /** Puts a job, unless a newer version of it is known. */
  void put(Job job) {
    if (!hasGone(job)) {
      store(job);
      if (hasGone(job)) { // it went meanwhile
        remove(job.id());
      }
    }
  }

  private boolean hasGone(Job job) {
    synchronized (gone) {
      return gone.getOrDefault(job.id(), -1L) >= job.version();
    }
  }

  private void store(Job job) {
    while (true) {
      Job known = jobs.get(job.id());
      if (known != null && known.version() >= job.version()) {
        return;
      }
      boolean stored =
          known == null
              ? jobs.putIfAbsent(job.id(), job) == null
              : jobs.replace(job.id(), known, job);
      if (stored) {
        waiting.addAndGet(waits(job) - (known == null ? 0 : waits(known)));
        if (job.state().terminal() && known != null && !known.state().terminal()) {
          ended.increment();
        }
        end(job);
        listeners.forEach(listener -> listener.accept(job));
        return;
      }
    }
  }

  /** Puts a job among those that have ended, or takes it away, as it is now. */
  private void end(Job job) {
    Job now = job;
    while (true) {
      endedJobs.put(now);
      Job then = jobs.get(job.id());
      if (then == now) {
        return;
      } else if (then == null) {
        endedJobs.remove(job.id());
        return;
      }
      now = then;
    }
  }

  /** Returns the jobs that have ended. */
  EndedJobs ended() {
    return endedJobs;
  }

  /** Records that a job was deleted. */
  void deleted(String id) {
    synchronized (gone) {
      Long before = gone.put(id, Long.MAX_VALUE);
      if (before == null || before != Long.MAX_VALUE) {
        tombstones.incrementAndGet();
      }
    }
    remove(id);
  }

  /** Returns the ids of jobs that are known to have been deleted. */
  List<String> deletedIds() {
    synchronized (gone) {
      return gone.entrySet().stream()
          .filter(each -> each.getValue() == Long.MAX_VALUE)
          .map(Map.Entry::getKey)
          .toList();
    }
  }

  /** Returns whether a job is known to have been deleted. */
  boolean isDeleted(String id) {
    synchronized (gone) {
      return gone.getOrDefault(id, -1L) == Long.MAX_VALUE;
    }
  }

  /** Records that a job was let go after it had ended; a later version of it may come. */
  void letGo(String id, long version) {
    synchronized (gone) {
      Long unused = gone.merge(id, version, Math::max);
    }
    Job known = jobs.get(id);
    if (known != null && known.version() <= version) {
      remove(id);
    }
  }

  /** Removes a job that no longer exists. */
  void remove(String id) {
    Job removed = jobs.remove(id);
    endedJobs.remove(id);
    if (removed != null) {
      waiting.addAndGet(-waits(removed));
      removals.forEach(listener -> listener.accept(removed));
    }
  }

  /** Sets the number of tombstones, as counted by a reading of all jobs. */
  void tombstones(int count) {
    tombstones.set(count);
  }

  /** Returns the approximate number of tombstones in the cell. */
  int tombstones() {
    return tombstones.get();
  }

  /** Returns the ids of all jobs. */
  Set<String> ids() {
    return new HashSet<>(jobs.keySet());
  }

  Runnable onRemoval(Consumer<Job> listener) {
    removals.add(listener);
    return () -> removals.remove(listener);
  }

  Runnable onChange(Consumer<Job> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  Optional<Job> get(String id) {
    return Optional.ofNullable(jobs.get(id));
  }

  int size() {
    return jobs.size();
  }

  JobCounts counts() {
    Map<JobState, Long> byState = new EnumMap<>(JobState.class);
    Map<String, Map<JobState, Long>> byType = new TreeMap<>();
    for (Job job : jobs.values()) {
      byState.merge(job.state(), 1L, Long::sum);
      byType
          .computeIfAbsent(job.type(), type -> new EnumMap<>(JobState.class))
          .merge(job.state(), 1L, Long::sum);
    }
    return new JobCounts(byState, byType, ended.sum());
  }

  /** Returns the number of jobs that wait for a run. */
  int waiting() {
    return waiting.get();
  }

  private static int waits(Job job) {
    return switch (job.state()) {
      case QUEUED, SCHEDULED, RETRY_WAIT, BLOCKED -> 1;
      default -> 0;
    };
  }

  /** Returns whether a job has a record, or was deleted. */
  boolean knows(String id) {
    return jobs.containsKey(id) || isDeleted(id);
  }

  /** Returns the first jobs of a list, at most {@code most}. */
  List<Job> list(JobQuery query, int most) {
    ConcurrentNavigableMap<String, Job> ordered = query.ascending() ? jobs : jobs.descendingMap();
    String cursor = query.cursor();
    if (cursor != null) {
      ordered = ordered.tailMap(cursor, false);
    }
    List<Job> items = new ArrayList<>();
    for (Job job : ordered.values()) {
      if (matches(job, query)) {
        items.add(job);
        if (items.size() == most) {
          break;
        }
      }
    }
    return items;
  }

  private static boolean matches(Job job, JobQuery query) {
    return (query.type() == null || query.type().equals(job.type()))
        && (query.state() == null || query.state() == job.state())
        && (query.createdAfter() == null || job.createdAt().isAfter(query.createdAfter()))
        && hasLabel(job, query.label())
        && hasText(job, query.text());
  }

  private static boolean hasLabel(Job job, @Nullable String label) {
    if (label == null) {
      return true;
    }
    int equals = label.indexOf('=');
    return equals < 0
        ? job.labels().containsKey(label)
        : label.substring(equals + 1).equals(job.labels().get(label.substring(0, equals)));
  }

  private static boolean hasText(Job job, @Nullable String text) {
    return text == null
        || job.id().contains(text)
        || String.join(" ", job.command()).contains(text)
        || job.labels().toString().contains(text);
  }
}
