package io.callboard.workflows.model;

import java.util.List;

/**
 * Numbers of instances of all nodes that answer.
 *
 * @param items the numbers, without zeros
 * @param partial whether they may be too low: without the instances of a node that does not answer,
 *     or is still reading them
 * @param missing nodes that were asked and do not answer, or have no index of instances (unless
 *     another node is still reading, whose instances these may be); empty unless it is partial
 */
public record InstanceCounts(List<InstanceCount> items, boolean partial, List<String> missing) {
  /** Copies the lists. */
  public InstanceCounts {
    items = List.copyOf(items);
    missing = List.copyOf(missing);
  }
}
