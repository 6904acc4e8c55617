package io.callboard.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Nodes that decide by {@link Claims} over one table of leases, each with a view that may be old:
 * who looks, when a hand-over comes to rest, who dies and who is suspected is drawn from a seed.
 */
final class RehearsedGrid {
  static final int PARTITIONS = 24;
  static final Partition ROLE = Partition.ofRole("cashier");
  private static final long STEP_NS = 50_000_000L;

  /** A step in which all look. */
  private static final long QUIET_STEP_NS = 200_000_000L;

  private static final long SESSION_NS = 4_000_000_000L;

  private final SplittableRandom random;
  private final Set<String> roles;
  private final Map<Partition, Lease> leases = new HashMap<>();
  private final Map<Partition, Long> epochs = new HashMap<>();
  private final Map<String, RehearsedNode> nodes = new TreeMap<>();
  private final Map<String, Integer> moves = new TreeMap<>();
  private long nowNs;
  private int boots;

  /** One node: live, or dead with a session that has not ended yet. */
  final class RehearsedNode {
    final String name;
    final String boot;
    final Claims claims;
    final double weight;

    /** Empty for one of an older version, which does not know of machines and successors. */
    final String machine;

    boolean dead;
    boolean draining;
    long diedNs;
    final Map<Partition, Long> resting = new HashMap<>();
    private final Map<Locality, Member> published = new HashMap<>();
    private boolean publishedDraining;

    RehearsedNode(String name, double weight, String machine) {
      this.name = name;
      this.weight = weight;
      this.machine = machine;
      this.boot = name + "#" + ++boots;
      this.claims = new Claims(name, boot);
      for (int i = 0; i < PARTITIONS; i++) {
        claims.want(new Partition("s", i), WantReason.HOSTED);
      }
      roles.forEach(role -> claims.want(Partition.ofRole(role), WantReason.ROLE));
    }

    /** Returns the member as others read it: made anew when it begins or ends to drain. */
    Member member(Locality read) {
      if (publishedDraining != draining) {
        published.clear();
        publishedDraining = draining;
      }
      return published.computeIfAbsent(
          read,
          locality -> {
            Offer offer = new Offer(Set.of("s"), roles, weight, draining, locality, Map.of());
            return new Member(name, boot, Instant.EPOCH, Map.of(Offer.FACT, offer.fact()));
          });
    }

    /** Reads now, and acts on it later than others may write. */
    void look() {
      if (machine.isEmpty()) {
        Map<Partition, Lease> known = new HashMap<>(leases);
        known.replaceAll((partition, lease) -> lease.handedTo(""));
        claims.saw(known, Set.of(), membersAsOlderOnesRead(), nowNs);
      } else {
        claims.saw(Map.copyOf(leases), Set.of(), members(), nowNs);
      }
      act();
    }

    void act() {
      Decisions now = claims.decide(nowNs);
      now.claims().forEach(claim -> claim(claim));
      now.handOvers().forEach(p -> resting.put(p, nowNs + random.nextLong(300_000_000L)));
    }

    private void claim(Decisions.Claim claim) {
      Partition partition = claim.partition();
      Lease now = leases.get(partition);
      if (claim.seen().map(Lease::version).orElse(-1) != (now == null ? -1 : now.version())) {
        return; // the compare-and-set fails
      }
      long epoch = claim.seen().map(Lease::epoch).orElse(0L) + 1;
      int version = claim.seen().map(lease -> lease.version() + 1).orElse(0);
      Lease lease = new Lease(partition, epoch, name, boot, version);
      assertThat(epochs.merge(partition, epoch, Math::max)).isEqualTo(epoch);
      leases.put(partition, lease);
      moves.merge(partition.isRole() ? "role" : "hosted", 1, Integer::sum);
      claims.granted(lease, nowNs);
    }

    void release() {
      for (Partition partition : List.copyOf(resting.keySet())) {
        Lease held = claims.held(partition).orElse(null);
        if (held == null) {
          resting.remove(partition);
        } else if (resting.get(partition) <= nowNs) {
          resting.remove(partition);
          if (held.equals(leases.get(partition))) {
            String to = machine.isEmpty() ? "" : claims.successor(partition);
            leases.put(partition, held.handedTo(to).released(Instant.EPOCH));
            claims.released(held.handedTo(to));
          } else {
            claims.lost(partition);
          }
        }
      }
    }
  }

  RehearsedGrid(long seed) {
    this(seed, Set.of("cashier"));
  }

  RehearsedGrid(long seed, Set<String> roles) {
    this.random = new SplittableRandom(seed);
    this.roles = roles;
  }

  private List<Member> membersAsOlderOnesRead() {
    return nodes.values().stream().map(node -> node.member(Locality.UNKNOWN)).toList();
  }

  private List<Member> members() {
    return nodes.values().stream()
        .map(node -> node.member(new Locality(node.machine, Map.of())))
        .toList();
  }

  RehearsedNode join(String name, double weight) {
    return join(name, weight, "");
  }

  RehearsedNode join(String name, double weight, String machine) {
    RehearsedNode node = new RehearsedNode(name, weight, machine);
    nodes.put(name, node);
    return node;
  }

  /** Kills a node: its session ends later; before that it may be suspected. */
  void kill(String name) {
    RehearsedNode node = nodes.get(name);
    node.dead = true;
    node.diedNs = nowNs;
  }

  void suspect(String name, Optional<VacancyReason> loss) {
    RehearsedNode suspected = nodes.get(name);
    nodes.values().forEach(node -> node.claims.suspect(suspected.boot, loss));
  }

  /** Two sides do not hear each other, and both reach the store. */
  void split(boolean apart) {
    int half = nodes.size() / 2;
    List<RehearsedNode> all = new ArrayList<>(nodes.values());
    for (RehearsedNode one : all.subList(0, half)) {
      for (RehearsedNode other : all.subList(half, all.size())) {
        Optional<VacancyReason> loss = apart ? Optional.of(VacancyReason.SILENT) : Optional.empty();
        one.claims.suspect(other.boot, loss);
        other.claims.suspect(one.boot, loss);
      }
    }
  }

  List<String> live() {
    return nodes.values().stream().filter(node -> !node.dead).map(node -> node.name).toList();
  }

  RehearsedNode node(String name) {
    return nodes.get(name);
  }

  /** One step of time: sessions end, some nodes look, what has come to rest is given back. */
  void step(boolean everybodyLooks) {
    nowNs += everybodyLooks ? QUIET_STEP_NS : STEP_NS;
    nodes.values().removeIf(node -> node.dead && nowNs - node.diedNs > SESSION_NS);
    List<RehearsedNode> some = new ArrayList<>(nodes.values());
    for (RehearsedNode node : some) {
      if (node.dead) {
        continue;
      }
      node.release();
      if (everybodyLooks || random.nextInt(3) == 0) {
        node.look();
      } else if (random.nextBoolean()) {
        node.act(); // by an old view
      }
    }
  }

  void settle(long nanos) {
    for (long left = nanos; left > 0; left -= QUIET_STEP_NS) {
      step(true);
    }
  }

  Optional<Lease> lease(Partition partition) {
    return Optional.ofNullable(leases.get(partition));
  }

  Map<Partition, String> owners() {
    Map<Partition, String> owners = new TreeMap<>();
    leases.forEach((partition, lease) -> owners.put(partition, lease.ownerBoot()));
    return owners;
  }

  /**
   * Returns the node that is to own the partition: the first by score of those that neither are
   * gone nor drain.
   */
  String first(Partition partition) {
    return nodes.values().stream()
        .filter(node -> !node.dead && !node.draining)
        .max(
            (one, other) ->
                Double.compare(
                    RendezvousHash.score(partition.toString(), one.name, one.weight),
                    RendezvousHash.score(partition.toString(), other.name, other.weight)))
        .orElseThrow()
        .boot;
  }

  void nodesThatDrainTakeTheirShareAgain() {
    for (RehearsedNode node : nodes.values()) {
      node.draining = false;
      node.claims.drain(false);
    }
  }

  /** Returns the number of roles that each live node holds. */
  Map<String, Integer> roles() {
    Map<String, Integer> held = new TreeMap<>();
    live().forEach(name -> held.put(name, 0));
    leases.values().stream()
        .filter(lease -> lease.partition().isRole() && held.containsKey(lease.owner()))
        .forEach(lease -> held.merge(lease.owner(), 1, Integer::sum));
    return held;
  }

  /** Returns the node that holds each role. */
  Map<Partition, String> holders() {
    Map<Partition, String> holders = new TreeMap<>();
    leases.forEach(
        (partition, lease) -> {
          if (partition.isRole()) {
            holders.put(partition, lease.owner());
          }
        });
    return holders;
  }

  int moves(String what) {
    return moves.getOrDefault(what, 0);
  }

  SplittableRandom random() {
    return random;
  }
}
