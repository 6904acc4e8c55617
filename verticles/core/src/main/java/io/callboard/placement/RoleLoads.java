package io.callboard.placement;

import io.callboard.codecs.Partition;
import io.callboard.placement.Ranking.Candidate;
import io.callboard.store.Lease;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Number of roles of each live node, relative to its weight, as read at one moment. */
final class RoleLoads {
  private final Map<String, Integer> held = new HashMap<>();
  private final Map<String, Double> weights = new HashMap<>();

  RoleLoads(Map<Partition, Lease> leases, Iterable<Candidate> live) {
    for (Candidate node : live) {
      weights.put(node.boot(), node.weight());
    }
    for (Lease lease : leases.values()) {
      if (lease.partition().isRole() && weights.containsKey(lease.ownerBoot())) {
        held.merge(lease.ownerBoot(), 1, Integer::sum);
      }
    }
  }

  /** Moves one role from a node to another. */
  void move(String from, String to) {
    held.merge(from, -1, Integer::sum);
    held.merge(to, 1, Integer::sum);
  }

  /**
   * Returns the gain in evenness when a role moves from one node to another: the decrease of the
   * sum over all nodes of roles²/weight. Only moves that gain are made, so they come to an end.
   */
  double gain(String from, String to) {
    return (2 * roles(from) - 1) / weight(from) - (2 * roles(to) + 1) / weight(to);
  }

  private int roles(String boot) {
    return held.getOrDefault(boot, 0);
  }

  private double weight(String boot) {
    return weights.getOrDefault(boot, Offer.NONE.weight());
  }

  /** Returns the node that is to have the next role, of equal ones the first. */
  Candidate least(List<Candidate> nodes) {
    return nodes.stream()
        .min(Comparator.comparingDouble(node -> (roles(node.boot()) + 1) / node.weight()))
        .orElseThrow();
  }
}
