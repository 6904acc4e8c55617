package io.callboard.workflows.model;

import io.callboard.workflows.merge.Merger;
import io.callboard.workflows.merge.NamedMerger;
import io.callboard.zone.ZoneDefaults;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Options of a node's part in the workflow engine.
 *
 * @param slots steps that the workers of this node run at once; 0 for none
 * @param mergers mergers of the application, by name; the same on all nodes
 * @param httpHosts host names and addresses, in lower case, that {@code http} steps of this node
 *     call although they lead to this machine or its network segment alone; {@code *} for all
 * @param mostRunning instances that run in the cell at once, from which on further ones wait; the
 *     same on all nodes
 * @param builderZone scheduling zone in which builders run that were registered without one, and
 *     may block
 * @param retention retention of instances that have ended
 */
public record WorkflowsOptions(
    int slots,
    Map<String, Merger> mergers,
    Set<String> httpHosts,
    int mostRunning,
    String builderZone,
    WorkflowRetention retention) {
  /** Slots of a node by default. */
  public static final int DEFAULT_SLOTS = 64;

  /** Limit of running instances in the cell by default. */
  public static final int DEFAULT_RUNNING = 100_000;

  /** Default options. */
  public static final WorkflowsOptions DEFAULT = new WorkflowsOptions(DEFAULT_SLOTS);

  /** Checks the numbers and copies the collections. */
  public WorkflowsOptions {
    if (slots < 0) {
      throw new IllegalArgumentException("slots must be 0 or more, not " + slots);
    } else if (mostRunning < 1) {
      throw new IllegalArgumentException("mostRunning must be 1 or more, not " + mostRunning);
    }
    mergers = Map.copyOf(mergers);
    httpHosts = Set.copyOf(httpHosts);
  }

  /** Creates options without mergers. */
  public WorkflowsOptions(int slots) {
    this(slots, Map.of());
  }

  /** Creates options without hosts that are near. */
  public WorkflowsOptions(int slots, Map<String, Merger> mergers) {
    this(slots, mergers, Set.of());
  }

  /** Creates options with the default limit, zone of builders and retention. */
  public WorkflowsOptions(int slots, Map<String, Merger> mergers, Set<String> httpHosts) {
    this(
        slots,
        mergers,
        httpHosts,
        DEFAULT_RUNNING,
        ZoneDefaults.BUILDERS,
        WorkflowRetention.DEFAULT);
  }

  /**
   * Returns the same with further mergers.
   *
   * @throws IllegalArgumentException if two have one name
   */
  public WorkflowsOptions mergers(List<? extends NamedMerger> further) {
    Map<String, Merger> all = new HashMap<>(mergers);
    for (NamedMerger merger : further) {
      Merger other = all.put(merger.name(), merger);
      if (other != null) {
        throw new IllegalArgumentException(
            "two mergers are called %s, of %s and %s: give them different names"
                .formatted(merger.name(), other.getClass().getName(), merger.getClass().getName()));
      }
    }
    return new WorkflowsOptions(slots, all, httpHosts, mostRunning, builderZone, retention);
  }

  /** Returns the same with another limit of running instances. */
  public WorkflowsOptions mostRunning(int limit) {
    return new WorkflowsOptions(slots, mergers, httpHosts, limit, builderZone, retention);
  }

  /** Returns the same with another zone of builders. */
  public WorkflowsOptions builderZone(String zone) {
    return new WorkflowsOptions(slots, mergers, httpHosts, mostRunning, zone, retention);
  }

  /** Returns the same with another retention of instances that have ended. */
  public WorkflowsOptions retention(WorkflowRetention itsRetention) {
    return new WorkflowsOptions(slots, mergers, httpHosts, mostRunning, builderZone, itsRetention);
  }
}
