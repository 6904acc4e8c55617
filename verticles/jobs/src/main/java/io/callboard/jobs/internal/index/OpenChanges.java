package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes of jobs that turns on this node are going to commit and have not reported as committed:
 * of these jobs the store may have more than the index. Not thread-safe.
 */
@Machine
final class OpenChanges {
  /** The last change of each job, by partition. */
  private final Map<Integer, Map<JobId, Object>> open = new HashMap<>();

  /** Begins a change, which stands for those of the same job before it; returns it. */
  Object begin(int partition, JobId job) {
    Object change = new Object();
    open.computeIfAbsent(partition, key -> new HashMap<>()).put(job, change);
    return change;
  }

  /** Ends a change, unless a later one of its job stands for it. */
  void end(int partition, JobId job, Object change) {
    Map<JobId, Object> changes = open.get(partition);
    if (changes != null && changes.remove(job, change) && changes.isEmpty()) {
      open.remove(partition);
    }
  }

  /** Returns whether a job has such a change. */
  boolean has(int partition, JobId job) {
    return open.getOrDefault(partition, Map.of()).containsKey(job);
  }

  /** Returns the jobs of a partition with such changes. */
  List<String> of(int partition) {
    List<String> jobs = new ArrayList<>();
    open.getOrDefault(partition, Map.of()).keySet().forEach(job -> jobs.add(job.text()));
    return jobs;
  }

  /** Forgets those of a partition, of which none can be committed any more. */
  void forget(int partition) {
    open.remove(partition);
  }
}
