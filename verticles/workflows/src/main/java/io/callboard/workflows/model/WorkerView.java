package io.callboard.workflows.model;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * Worker of a node, as the desk knows it.
 *
 * @param node name of the node
 * @param types what it runs: {@code handler:name@major}, and {@code http}
 * @param slots number of steps that it runs at once, in its zones of handlers too; 0 while it takes
 *     none
 * @param running number of steps that it runs, by definition
 * @param draining whether it takes no more steps
 * @param silence time since it was heard; it reports every 5 s
 * @param member whether its node is in the cell
 */
public record WorkerView(
    String node,
    Set<String> types,
    int slots,
    Map<String, Integer> running,
    boolean draining,
    Duration silence,
    boolean member) {
  /** Copies types and runs. */
  public WorkerView {
    types = Set.copyOf(types);
    running = Map.copyOf(running);
  }
}
