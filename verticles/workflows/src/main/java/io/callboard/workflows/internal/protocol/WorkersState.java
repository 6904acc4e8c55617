package io.callboard.workflows.internal.protocol;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Durable state of the worker registry.
 *
 * @param epoch epoch of the last desk
 * @param boots nodes of the boots that may hold runs, by boot id
 * @param drained names of nodes whose workers take no runs
 * @param weights weights by definition, instead of those of the requests
 * @param requests numbers of the requests by which the present desk made boots durable, by boot id:
 *     an earlier request to forget one may come after that; null from an earlier version
 */
public record WorkersState(
    long epoch,
    Map<String, String> boots,
    Set<String> drained,
    Map<String, Integer> weights,
    @Nullable Map<String, Long> requests) {
  /** The state before the first desk. */
  public static final WorkersState NONE =
      new WorkersState(0, Map.of(), Set.of(), Map.of(), Map.of());

  /** Copies the collections. */
  public WorkersState {
    boots = Map.copyOf(boots);
    drained = Set.copyOf(drained);
    weights = Map.copyOf(weights);
    requests = requests == null ? null : Map.copyOf(requests);
  }

  /** Returns this state in the next epoch. */
  public WorkersState opened() {
    return new WorkersState(epoch + 1, boots, drained, weights, Map.of());
  }

  private Map<String, Long> known() {
    return requests == null ? Map.of() : requests;
  }

  /**
   * Returns this state with a boot added.
   *
   * @param request number of the request; null from a desk of an earlier version
   */
  public WorkersState enrolled(WorkerId worker, @Nullable Long request) {
    Map<String, String> all = new TreeMap<>(boots);
    all.put(worker.boot(), worker.node());
    Map<String, Long> numbers = new TreeMap<>(known());
    if (request != null) {
      numbers.merge(worker.boot(), request, Math::max);
    }
    return new WorkersState(epoch, all, drained, weights, numbers);
  }

  /**
   * Returns this state without a boot; as it is if a later request has made that durable.
   *
   * @param request number of the request; null from a desk of an earlier version
   */
  public WorkersState without(String boot, @Nullable Long request) {
    if (request != null && known().getOrDefault(boot, 0L) > request) {
      return this;
    }
    Map<String, String> all = new TreeMap<>(boots);
    all.remove(boot);
    Map<String, Long> numbers = new TreeMap<>(known());
    numbers.remove(boot);
    return new WorkersState(epoch, all, drained, weights, numbers);
  }

  /** Returns this state with a node drained, or not. */
  public WorkersState drained(String node, boolean now) {
    Set<String> all = new TreeSet<>(drained);
    boolean unused = now ? all.add(node) : all.remove(node);
    return new WorkersState(epoch, boots, all, weights, requests);
  }

  /** Returns this state with another weight of a definition; 0 removes it. */
  public WorkersState weighed(String definition, int weight) {
    Map<String, Integer> all = new TreeMap<>(weights);
    if (weight == 0) {
      all.remove(definition);
    } else {
      all.put(definition, weight);
    }
    return new WorkersState(epoch, boots, drained, all, requests);
  }
}
