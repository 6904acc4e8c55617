package io.callboard.jobs.gate;

import io.callboard.jobs.gate.GateState.Handle;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Number of handles by type and by host; counted in one pass. */
public final class RunCounts {
  private final Map<String, Integer> types = new HashMap<>();
  private final Map<String, Integer> hosts = new HashMap<>();

  private RunCounts() {}

  /** Counts handles. */
  public static RunCounts of(Collection<Handle> handles) {
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

  /** Returns the number of runs on a host. */
  public int onHost(String host) {
    return hosts.getOrDefault(host, 0);
  }
}
