package io.callboard.placement;

import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decisions on which partitions a node claims, and which it hands over. A machine without I/O: its
 * inputs are the leases and members that were read, and the outcomes of its decisions. Not
 * thread-safe; times are nanoseconds of one monotonic clock.
 *
 * @hidden for the toolkit alone
 */
@Machine
public final class Claims {
  /**
   * Nanoseconds that each further candidate waits longer before it claims in place of those before
   * it.
   */
  public static final long GRACE_NANOS = 500_000_000L;

  /**
   * Nanoseconds for which a partition is held, and a node known, before the partition goes to that
   * node.
   */
  public static final long SETTLED_NANOS = 2_000_000_000L;

  /** Partitions that come to rest at a time for the sake of balance. */
  static final int MOST_MOVING = 8;

  /**
   * Nanoseconds for which a node that handed a partition over on request does not rank itself for
   * it.
   */
  static final long YIELD_NANOS = 5_000_000_000L;

  private final String node;
  private final String boot;
  private final Map<Partition, WantReason> wanted = new TreeMap<>();
  private final Map<Partition, Held> owned = new HashMap<>();
  private final Set<Partition> leaving = new HashSet<>();
  private final Map<Partition, Long> yielded = new HashMap<>();
  private final Map<Partition, Vacancy> vacant = new HashMap<>();
  private final Set<Partition> unreadable = new HashSet<>();
  private final HandOverHistory handOverHistory = new HandOverHistory();
  private final SuspectedMembers suspicions = new SuspectedMembers();
  private final Map<Partition, String> machines = new HashMap<>();
  private final RoleBalance balance = new RoleBalance();
  private final Ranking ranking;
  private Map<Partition, Lease> leases = new HashMap<>();
  private Set<Partition> damaged = Set.of();

  private record Held(Lease lease, long sinceNs) {}

  /** A partition without a live owner, as first seen. */
  private record Vacancy(VacancyReason loss, long sinceNs) {}

  /**
   * Creates the decisions of one node, which has seen no lease and no member yet.
   *
   * @param node its name
   * @param boot the {@link io.callboard.store.NodeIdentity#bootId()} of its process
   */
  public Claims(String node, String boot) {
    this.node = node;
    this.boot = boot;
    this.ranking = new Ranking(node, boot);
  }

  // Inputs.

  /** Declares that this node can run actors of a partition; the stronger reason counts. */
  public void want(Partition partition, WantReason wantReason) {
    wanted.merge(partition, wantReason, (one, other) -> one.compareTo(other) > 0 ? one : other);
    unreadable.remove(partition);
  }

  /** Declares that this node runs no actor of a partition any more, so that it releases it. */
  public void forgo(Partition partition) {
    wanted.remove(partition);
    vacant.remove(partition);
  }

  /** Sets whether this node drains: it releases the partitions that other nodes offer to own. */
  public void drain(boolean draining) {
    ranking.drain(draining);
  }

  /** Reports all leases and members, as just read. */
  public void saw(
      Map<Partition, Lease> all, Set<Partition> unreadableLeases, List<Member> now, long nowNs) {
    leases = new HashMap<>(all);
    damaged = Set.copyOf(unreadableLeases);
    unreadable.retainAll(damaged);
    ranking.saw(now, nowNs);
    suspicions.saw(ranking.boots(), leases.values());
    machines.keySet().retainAll(leases.keySet());
    remember(leases.values());
  }

  /**
   * Records the machines of the holders of roles, since the next holder of each is to be on another
   * machine.
   */
  private void remember(Collection<Lease> seen) {
    for (Lease lease : seen) {
      String machine = lease.partition().isRole() ? ranking.machine(lease.ownerBoot()) : "";
      if (!machine.isEmpty()) {
        machines.put(lease.partition(), machine);
      }
    }
  }

  /**
   * Reports some leases, as just read; of the partitions {@code asked} for, those without a lease
   * are absent.
   */
  public void saw(Set<Partition> asked, Map<Partition, Lease> some) {
    leases.keySet().removeAll(asked);
    leases.putAll(some);
    suspicions.saw(some.values());
    remember(some.values());
  }

  /**
   * Records that a member is believed to be gone, or no more if {@code loss} is empty. This may be
   * reported before a list of members that holds it was read.
   */
  public void suspect(String suspected, Optional<VacancyReason> loss) {
    if (!suspected.equals(boot)) {
      suspicions.suspect(suspected, loss);
    }
  }

  /** Reports that a claim was granted. */
  public void granted(Lease lease, long nowNs) {
    owned.put(lease.partition(), new Held(lease, nowNs));
    leases.put(lease.partition(), lease);
    vacant.remove(lease.partition());
    leaving.remove(lease.partition());
    handOverHistory.cameBack(lease.partition(), nowNs);
  }

  /** Reports that a partition was released and is free. */
  public void released(Lease lease) {
    lost(lease.partition());
    leases.put(lease.partition(), lease.released(lease.at()));
  }

  /** Reports that another node owns a partition that this one believed to own. */
  public void lost(Partition partition) {
    owned.remove(partition);
    leaving.remove(partition);
  }

  /** Requests the hand-over of a role, or any other partition, to the next node of its ranking. */
  public void yield(Partition partition, long nowNs) {
    yielded.put(partition, nowNs);
  }

  // State.

  /** Returns the lease by which this node owns a partition, unless it is coming to rest. */
  public Optional<Lease> lease(Partition partition) {
    Held held = leaving.contains(partition) ? null : owned.get(partition);
    return Optional.ofNullable(held).map(Held::lease);
  }

  /** Returns the partitions that this node owns, without those that are coming to rest. */
  public Set<Partition> owned() {
    Set<Partition> all = new HashSet<>(owned.keySet());
    all.removeAll(leaving);
    return all;
  }

  /** Returns every lease that this node has, whatever becomes of it. */
  public List<Lease> held() {
    return owned.values().stream().map(Held::lease).toList();
  }

  /** Returns the lease that this node has of a partition, whatever becomes of it. */
  public Optional<Lease> held(Partition partition) {
    return Optional.ofNullable(owned.get(partition)).map(Held::lease);
  }

  /** Returns the name of the node that a partition which comes to rest is for; empty for any. */
  public String successor(Partition partition) {
    HandOverHistory.HandOver last = handOverHistory.last(partition);
    return last == null ? "" : last.name();
  }

  /** Returns the partitions that are wanted and not owned. */
  public Set<Partition> lacking() {
    Set<Partition> lacking = new HashSet<>(wanted.keySet());
    lacking.removeAll(owned.keySet());
    return lacking;
  }

  /** Returns the lease of the live node that owns a partition, if it is another, as seen last. */
  public Optional<Lease> elsewhere(Partition partition) {
    return Optional.ofNullable(leases.get(partition))
        .filter(lease -> !isMine(lease) && isLive(lease.ownerBoot()));
  }

  /**
   * Returns whether a node of that boot was a member when members were read last, and is not
   * suspected.
   */
  public boolean isLive(String someBoot) {
    return ranking.boots().contains(someBoot) && suspicions.loss(someBoot).isEmpty();
  }

  /** Returns whether another live node offers to own a partition. */
  public boolean isOffered(Partition partition) {
    return !ranking.of(partition, suspicions.boots(), false).isEmpty();
  }

  /** Leases of this node that it neither owns nor wants: an answer was lost. */
  public List<Lease> useless() {
    return leases.values().stream()
        .filter(this::isMine)
        .filter(lease -> !owned.containsKey(lease.partition()))
        .filter(lease -> !wanted.containsKey(lease.partition()))
        .toList();
  }

  private boolean isMine(Lease lease) {
    return lease.owner().equals(node) && lease.ownerBoot().equals(boot);
  }

  private boolean offers(Partition partition) {
    WantReason wantReason = wanted.get(partition);
    return wantReason == WantReason.HOSTED || wantReason == WantReason.ROLE;
  }

  // Decisions.

  /** Returns the decisions for now, from all inputs so far. */
  public Decisions decide(long nowNs) {
    balance.saw(leases, nowNs);
    Look look = new Look(nowNs);
    for (Held held : List.copyOf(owned.values())) {
      look.at(held);
    }
    look.spreadRoles();
    look.releases.addAll(useless());
    wanted.forEach(
        (partition, wantReason) -> {
          if (!owned.containsKey(partition)) {
            look.at(partition, wantReason);
          }
        });
    return look.decisions();
  }

  /** Collector of the decisions of one moment. */
  private final class Look {
    private final long nowNs;
    private final List<Partition> lost = new ArrayList<>();
    private final List<Claim> claims = new ArrayList<>();
    private final List<Partition> leavingNow = new ArrayList<>();
    private final List<Lease> releases = new ArrayList<>();
    private final Set<Partition> elsewhere = new HashSet<>();
    private final Set<Partition> unreadableNow = new HashSet<>();
    private long againNs = Long.MAX_VALUE;
    private @Nullable RoleLoads loads;

    Look(long nowNs) {
      this.nowNs = nowNs;
      yielded.values().removeIf(since -> nowNs - since > YIELD_NANOS);
    }

    Decisions decisions() {
      leaving.addAll(leavingNow);
      return new Decisions(
          lost,
          claims,
          leavingNow,
          releases,
          elsewhere,
          unreadableNow,
          againNs == Long.MAX_VALUE ? Optional.empty() : Optional.of(againNs));
    }

    private void again(long inNs) {
      againNs = Math.min(againNs, Math.max(1, inNs));
    }

    /** Decides about a partition that this node owns. */
    void at(Held held) {
      Partition partition = held.lease().partition();
      if (!held.lease().equals(leases.get(partition))) {
        lost.add(partition);
        Claims.this.lost(partition);
        return;
      }
      WantReason wantReason = wanted.get(partition);
      if (wantReason == null) {
        if (!leaving.contains(partition)) {
          handOverHistory.forget(partition);
          leavingNow.add(partition);
        }
        return;
      }
      List<Ranking.Candidate> ranked = others(partition);
      if (leaving.contains(partition) || ranked.isEmpty()) {
        return;
      }
      if (ranking.isDraining()) {
        giveTo(
            wantReason == WantReason.ROLE ? loads().least(ranked) : ranked.get(0),
            partition,
            nowNs);
      } else if (yielded.containsKey(partition)) {
        giveTo(ranked.get(0), partition, nowNs);
      } else if (wantReason != WantReason.ROLE) {
        balance(held, partition);
      }
    }

    /**
     * Returns how roles are spread, with those that are about to move already counted at their next
     * node.
     */
    private RoleLoads loads() {
      if (loads == null) {
        loads = new RoleLoads(leases, ranking.all());
        leaving.stream().filter(Partition::isRole).forEach(this::count);
      }
      return loads;
    }

    private void count(Partition role) {
      HandOverHistory.HandOver last = handOverHistory.last(role);
      if (last != null && loads != null) {
        loads.move(boot, last.to());
      }
    }

    /** Moves roles to nodes with fewer of them, one at a time. */
    void spreadRoles() {
      boolean unsettled =
          ranking.isDraining()
              || !suspicions.isEmpty()
              || leaving.stream().anyMatch(Partition::isRole)
              || leavingNow.stream().anyMatch(Partition::isRole);
      if (unsettled) {
        return;
      }
      balance
          .next(boot, leases, ranking)
          .ifPresent(
              move -> {
                Held held = owned.get(move.role());
                if (held != null && wanted.get(move.role()) == WantReason.ROLE) {
                  giveTo(move.to(), move.role(), move.dueNs(held.sinceNs()));
                }
              });
    }

    private void balance(Held held, Partition partition) {
      Ranking.Candidate best = ranked(partition).get(0);
      if (best.boot().equals(boot)) {
        return;
      }
      if (leaving.size() + leavingNow.size() < MOST_MOVING) {
        giveTo(best, partition, Math.max(held.sinceNs(), best.sinceNs()) + SETTLED_NANOS);
      } // else: the next of those that move looks again
    }

    /**
     * Hands a partition over, but not before that time, and not before a node that did not take it
     * is to be asked again.
     */
    private void giveTo(Ranking.Candidate next, Partition partition, long notBeforeNs) {
      HandOverHistory.HandOver handOver = handOverHistory.next(partition, next, nowNs);
      long dueNs = Math.max(notBeforeNs, handOver.notBeforeNs());
      if (nowNs - dueNs < 0) {
        again(dueNs - nowNs);
      } else {
        handOverHistory.made(partition, handOver);
        leavingNow.add(partition);
        count(partition);
      }
    }

    private List<Ranking.Candidate> ranked(Partition partition) {
      boolean mayOwn = offers(partition) && !yielded.containsKey(partition);
      return apart(partition, ranking.of(partition, suspicions.boots(), mayOwn));
    }

    private List<Ranking.Candidate> others(Partition partition) {
      return apart(partition, ranking.of(partition, suspicions.boots(), false));
    }

    /**
     * Returns the candidates with those on the machine of the role's last holder at the end: others
     * come first.
     */
    private List<Ranking.Candidate> apart(Partition partition, List<Ranking.Candidate> ranked) {
      return Ranking.apartFirst(ranked, machines.getOrDefault(partition, ""));
    }

    /** Decides about a partition that is wanted and not this node's. */
    void at(Partition partition, WantReason wantReason) {
      if (damaged.contains(partition)) {
        if (unreadable.add(partition)) {
          unreadableNow.add(partition);
        }
        return;
      }
      Lease lease = leases.get(partition);
      Optional<VacancyReason> loss = loss(lease);
      if (loss.isEmpty()) {
        vacant.remove(partition);
        yielded.remove(partition);
        handOverHistory.forget(partition);
        elsewhere.add(partition);
        return;
      }
      Vacancy vacancy = vacant.computeIfAbsent(partition, p -> new Vacancy(loss.get(), nowNs));
      long waitNs = loss.get() == VacancyReason.OWN ? 0 : wait(partition, wantReason, lease);
      long dueNs = vacancy.sinceNs() + waitNs - nowNs;
      if (waitNs == 0 || dueNs <= 0) {
        claims.add(new Claim(partition, Optional.ofNullable(lease), vacancy.loss()));
      } else {
        again(dueNs);
      }
    }

    /**
     * Returns the nanoseconds for which others are given time to claim the partition: first the
     * node that it was handed over to, last the one that gave it back.
     */
    private long wait(Partition partition, WantReason wantReason, @Nullable Lease lease) {
      if (wantReason == WantReason.SPAWNED && others(partition).isEmpty()) {
        return 0;
      }
      String last = lease == null ? "" : lease.last();
      List<String> ranked =
          ranked(partition).stream().map(Ranking.Candidate::name).collect(Collectors.toList());
      if (ranked.remove(last)) {
        ranked.add(last);
      }
      if (lease != null && ranked.remove(lease.to())) {
        ranked.add(0, lease.to());
      }
      int rank = ranked.indexOf(node);
      return (rank < 0 ? ranked.size() : rank) * GRACE_NANOS;
    }

    /** Returns the cause for which the partition is without a live owner; empty if it has one. */
    private Optional<VacancyReason> loss(@Nullable Lease lease) {
      if (lease == null) {
        return Optional.of(VacancyReason.NONE_BEFORE);
      } else if (lease.isFree()) {
        return Optional.of(VacancyReason.GIVEN_BACK);
      } else if (isMine(lease)) {
        return Optional.of(VacancyReason.OWN);
      } else if (!ranking.boots().contains(lease.ownerBoot())) {
        return Optional.of(VacancyReason.SESSION_ENDED);
      }
      return suspicions.loss(lease.ownerBoot());
    }
  }
}
