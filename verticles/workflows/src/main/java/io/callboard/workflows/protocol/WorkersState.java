package io.callboard.workflows.protocol;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Durable state of the worker master.
 *
 * @param epoch epoch of the last desk
 * @param boots nodes of the boots that may hold runs, by boot id
 * @param drained names of nodes whose workers take no runs
 * @param weights weights by definition, instead of those of the requests
 */
public record WorkersState(
    long epoch, Map<String, String> boots, Set<String> drained, Map<String, Integer> weights) {
  /** The state before the first desk. */
  public static final WorkersState NONE = new WorkersState(0, Map.of(), Set.of(), Map.of());

  /** Copies the collections. */
  public WorkersState {
    boots = Map.copyOf(boots);
    drained = Set.copyOf(drained);
    weights = Map.copyOf(weights);
  }

  /** Returns this state in the next epoch. */
  public WorkersState opened() {
    return new WorkersState(epoch + 1, boots, drained, weights);
  }

  /** Returns this state with a boot added. */
  public WorkersState enrolled(WorkerId worker) {
    Map<String, String> all = new TreeMap<>(boots);
    all.put(worker.boot(), worker.node());
    return new WorkersState(epoch, all, drained, weights);
  }

  /** Returns this state without a boot. */
  public WorkersState without(String boot) {
    Map<String, String> all = new TreeMap<>(boots);
    all.remove(boot);
    return new WorkersState(epoch, all, drained, weights);
  }

  /** Returns this state with a node drained, or not. */
  public WorkersState drained(String node, boolean now) {
    Set<String> all = new TreeSet<>(drained);
    boolean unused = now ? all.add(node) : all.remove(node);
    return new WorkersState(epoch, boots, all, weights);
  }

  /** Returns this state with another weight of a definition; 0 removes it. */
  public WorkersState weighed(String definition, int weight) {
    Map<String, Integer> all = new TreeMap<>(weights);
    if (weight == 0) {
      all.remove(definition);
    } else {
      all.put(definition, weight);
    }
    return new WorkersState(epoch, boots, drained, all);
  }
}
