package io.callboard.jobs;

import io.callboard.jobs.GateState.Handle;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** How many handles there are of each type and on each host; counted in one pass. */
final class RunCounts {
  private final Map<String, Integer> types = new HashMap<>();
  private final Map<String, Integer> hosts = new HashMap<>();

  private RunCounts() {}

  static RunCounts of(Collection<Handle> handles) {
    RunCounts counts = new RunCounts();
    for (Handle handle : handles) {
      counts.types.merge(handle.type(), 1, Integer::sum);
      counts.hosts.merge(handle.host(), 1, Integer::sum);
    }
    return counts;
  }

  int ofType(String type) {
    return types.getOrDefault(type, 0);
  }

  int onHost(String host) {
    return hosts.getOrDefault(host, 0);
  }
}
