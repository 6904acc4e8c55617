package io.callboard.placement;

import io.callboard.codecs.Partition;
import io.callboard.placement.Ranking.Candidate;
import io.callboard.store.Lease;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decisions on which role moves to another node so that each node holds its share, by number and
 * weight. Every node computes the same moves from the leases and members that it has read; the node
 * with the best move makes it, and the others wait until they see it. No role moves while any is
 * unsettled.
 */
@Machine
final class RoleBalance {
  /**
   * Nanoseconds for which a role is held, and the members stay the same, before one moves for
   * balance.
   */
  static final long DWELL_NANOS = 60_000_000_000L;

  /** Between two moves in a cell, and how much longer each further node waits with its own. */
  static final long PAUSE_NANOS = 5_000_000_000L;

  /** Smallest gain that counts; smaller ones are rounding errors. */
  private static final double LEAST_GAIN = 1e-9;

  private Map<Partition, Long> epochs = Map.of();
  private long changedNs;

  /**
   * A role is to go to another node.
   *
   * @param rank of the receiver among the role's candidates, from 0
   */
  private record Move(Partition role, String from, Candidate to, double gain, int rank) {
    private static final Comparator<Move> BEST_FIRST =
        Comparator.comparingDouble(Move::gain)
            .reversed()
            .thenComparingInt(Move::rank)
            .thenComparing(Move::role);
  }

  /**
   * A role of this node is to go to another.
   *
   * @param quietNs since when nothing stands against it
   * @param turn how many other nodes are to give one away first
   */
  record HandOver(Partition role, Candidate to, long quietNs, int turn) {
    /**
     * Returns the time at which the move is due, if the role has been held since {@code
     * heldSinceNs}.
     */
    long dueNs(long heldSinceNs) {
      return Math.max(quietNs, heldSinceNs + DWELL_NANOS) + (turn + 1) * PAUSE_NANOS;
    }
  }

  /** Leases as known now. */
  void saw(Map<Partition, Lease> leases, long nowNs) {
    Map<Partition, Long> now = new HashMap<>();
    leases.forEach(
        (partition, lease) -> {
          if (partition.isRole()) {
            now.put(partition, lease.isFree() ? -lease.epoch() : lease.epoch());
          }
        });
    if (!now.equals(epochs)) {
      epochs = now;
      changedNs = nowNs;
    }
  }

  /** Returns the next move that the node of that boot is to make. */
  Optional<HandOver> next(String boot, Map<Partition, Lease> leases, Ranking ranking) {
    RoleLoads loads = new RoleLoads(leases, ranking.all());
    boolean couldGain =
        ranking.all().stream().anyMatch(other -> loads.gain(boot, other.boot()) > LEAST_GAIN);
    if (!couldGain || !ranking.rolesMayMove() || isAnyVacant(leases, ranking)) {
      return Optional.empty();
    }
    Map<String, Move> best = new TreeMap<>();
    for (Lease lease : leases.values()) {
      Partition role = lease.partition();
      if (role.isRole() && ranking.isMember(lease.ownerBoot())) {
        moves(role, lease.ownerBoot(), loads, ranking)
            .forEach(
                move ->
                    best.merge(
                        move.from(),
                        move,
                        (one, other) -> Move.BEST_FIRST.compare(one, other) <= 0 ? one : other));
      }
    }
    List<Move> ordered = best.values().stream().sorted(Move.BEST_FIRST).toList();
    for (int turn = 0; turn < ordered.size(); turn++) {
      Move move = ordered.get(turn);
      if (move.from().equals(boot)) {
        long quietNs = Math.max(changedNs, ranking.changedNs() + DWELL_NANOS);
        return Optional.of(new HandOver(move.role(), move.to(), quietNs, turn));
      }
    }
    return Optional.empty();
  }

  private static List<Move> moves(Partition role, String from, RoleLoads loads, Ranking ranking) {
    List<Candidate> candidates = ranking.published(role);
    List<Move> moves = new ArrayList<>();
    for (int rank = 0; rank < candidates.size(); rank++) {
      Candidate to = candidates.get(rank);
      double gain = loads.gain(from, to.boot());
      if (!to.boot().equals(from) && gain > LEAST_GAIN) {
        moves.add(new Move(role, from, to, gain, rank));
      }
    }
    return moves;
  }

  /** Returns whether some node is about to take a role. */
  private static boolean isAnyVacant(Map<Partition, Lease> leases, Ranking ranking) {
    return ranking.all().stream()
        .filter(node -> !node.offer().draining())
        .flatMap(node -> node.roles().stream())
        .distinct()
        .anyMatch(
            role -> {
              Lease lease = leases.get(role);
              return lease == null || !ranking.isMember(lease.ownerBoot());
            });
  }
}
