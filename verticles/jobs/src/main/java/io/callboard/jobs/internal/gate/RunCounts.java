package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.gate.GateState.Handle;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Number of handles by type, by host and handler, by type on a host, and by label with a limit. */
public final class RunCounts {
  private final Map<String, Integer> types = new HashMap<>();
  private final Map<Pool, Integer> pools = new HashMap<>();
  private final Map<TypeOnHost, Integer> shares = new HashMap<>();
  private final Map<String, Integer> limits = new HashMap<>();

  /** Slots of a host: those of a handler, or those of processes if it is null. */
  record Pool(String host, @Nullable String handler) {}

  private record TypeOnHost(String type, String host) {}

  RunCounts() {}

  /** Counts handles. */
  public static RunCounts of(Collection<Handle> handles) {
    RunCounts counts = new RunCounts();
    handles.forEach(handle -> counts.add(handle, 1, Set.of()));
    return counts;
  }

  void add(Handle handle, int by, Set<String> limited) {
    types.merge(handle.type(), by, Integer::sum);
    pools.merge(new Pool(handle.host(), handle.handler()), by, Integer::sum);
    shares.merge(new TypeOnHost(handle.type(), handle.host()), by, Integer::sum);
    if (handle.labels() != null) {
      RunLane.limits(handle.labels(), limited)
          .forEach(label -> limits.merge(label, by, Integer::sum));
    }
  }

  int ofType(String type) {
    return types.getOrDefault(type, 0);
  }

  /** Returns the number of processes on a host. */
  public int onHost(String host) {
    return onHost(host, null);
  }

  /** Returns the number of runs of a handler on a host; of processes if it is null. */
  public int onHost(String host, @Nullable String handler) {
    return pools.getOrDefault(new Pool(host, handler), 0);
  }

  int ofTypeOnHost(String type, String host) {
    return shares.getOrDefault(new TypeOnHost(type, host), 0);
  }

  /** Returns the number of runs that the limit of a label counts. */
  public int ofLimit(String label) {
    return limits.getOrDefault(label, 0);
  }
}
