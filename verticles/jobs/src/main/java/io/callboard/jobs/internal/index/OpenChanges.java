package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes of jobs that turns on this node are about to commit: for these jobs the store may be
 * ahead of the index. Not thread-safe.
 */
@Machine
final class OpenChanges {
  /** The last change of each job, by partition. */
  private final Map<Integer, Map<JobId, Object>> open = new HashMap<>();

  /**
   * Begins a change, in place of earlier ones of the job.
   *
   * @return the change
   */
  Object begin(int partition, JobId job) {
    Object change = new Object();
    open.computeIfAbsent(partition, key -> new HashMap<>()).put(job, change);
    return change;
  }

  /** Ends a change, unless a later one of the job has replaced it. */
  void end(int partition, JobId job, Object change) {
    Map<JobId, Object> changes = open.get(partition);
    if (changes != null && changes.remove(job, change) && changes.isEmpty()) {
      open.remove(partition);
    }
  }

  /** Returns whether a job has an open change. */
  boolean has(int partition, JobId job) {
    return open.getOrDefault(partition, Map.of()).containsKey(job);
  }

  /** Returns the jobs of a partition with open changes. */
  List<String> of(int partition) {
    List<String> jobs = new ArrayList<>();
    open.getOrDefault(partition, Map.of()).keySet().forEach(job -> jobs.add(job.text()));
    return jobs;
  }

  /** Forgets the changes of a partition, none of which can be committed any more. */
  void forget(int partition) {
    open.remove(partition);
  }
}
