package io.callboard.placement;

import io.callboard.codecs.Partition;
import io.callboard.store.Member;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Ranking of the last known members, in the order in which they are to own a partition. */
@Machine
public final class Ranking {
  private final String node;
  private final String boot;
  private Map<String, Candidate> members = Map.of();
  private double weight = Offer.NONE.weight();
  private long changedNs;
  private boolean draining;

  /**
   * A live node.
   *
   * @param roles the partitions of those that it offers
   * @param sinceNs when it was first seen
   */
  record Candidate(Member member, Offer offer, Set<Partition> roles, long sinceNs) {
    String name() {
      return member.name();
    }

    String boot() {
      return member.bootId();
    }

    private boolean covers(Partition partition) {
      return partition.isRole()
          ? roles.contains(partition)
          : offer.spaces().contains(partition.space());
    }

    double weight() {
      return offer.weight();
    }

    /** Returns the machine that the node runs on; empty if it publishes none. */
    String machine() {
      return offer.locality().machine();
    }

    /** Returns whether weight, draining and location are those of {@code before}. */
    private boolean isAs(Candidate before) {
      return offer.weight() == before.offer.weight()
          && offer.draining() == before.offer.draining()
          && offer.locality().equals(before.offer.locality());
    }

    private boolean tells(Member other) {
      return Objects.equals(member.facts().get(Offer.FACT), other.facts().get(Offer.FACT));
    }
  }

  private record Scored(Candidate candidate, double score) {}

  private static final Comparator<Scored> BY_SCORE =
      Comparator.comparingDouble(Scored::score)
          .reversed()
          .thenComparing(each -> each.candidate().name());

  Ranking(String node, String boot) {
    this.node = node;
    this.boot = boot;
  }

  /** Returns the ranking as seen by an observer that owns nothing. */
  public static Ranking of(List<Member> members) {
    Ranking ranking = new Ranking("", "");
    ranking.saw(members, 0);
    return ranking;
  }

  /** Returns the members that may own a partition, the first of its ranking first. */
  public List<Member> of(Partition partition) {
    return of(partition, Set.of(), false).stream().map(Candidate::member).toList();
  }

  /**
   * Returns the member that takes a partition over when that owner is gone: on another machine,
   * where there is one.
   */
  public Optional<Member> standby(Partition partition, String ownerBoot) {
    return apartFirst(of(partition, Set.of(ownerBoot), false), machine(ownerBoot)).stream()
        .findFirst()
        .map(Candidate::member);
  }

  /** Returns whether the members of two boots are known to run on the same machine. */
  public boolean areTogether(String oneBoot, String otherBoot) {
    String machine = machine(oneBoot);
    return !machine.isEmpty() && machine.equals(machine(otherBoot));
  }

  /** Returns whether some member is not known to run on the machine of another. */
  public boolean isElsewhere(String someBoot) {
    return members.keySet().stream().anyMatch(other -> !areTogether(someBoot, other));
  }

  /** Returns the machine of a member; empty if it is none, or does not tell. */
  String machine(String someBoot) {
    Candidate member = members.get(someBoot);
    return member == null ? "" : member.machine();
  }

  /** Returns the candidates in the same order, but those on that machine last. */
  static List<Candidate> apartFirst(List<Candidate> ranked, String machine) {
    if (machine.isEmpty()) {
      return ranked;
    }
    List<Candidate> ordered = new ArrayList<>(ranked);
    ordered.sort(Comparator.comparing(candidate -> candidate.machine().equals(machine)));
    return ordered;
  }

  /** Returns whether a node of that boot is a member. */
  public boolean isMember(String someBoot) {
    return members.containsKey(someBoot);
  }

  /** Returns the number of members. */
  public int size() {
    return members.size();
  }

  /** Returns the roles that members declare, whether they can hold them or not. */
  public Set<String> roles() {
    Set<String> all = new TreeSet<>();
    members.values().forEach(member -> all.addAll(member.offer().roles()));
    members.values().forEach(member -> all.addAll(member.offer().unfit().keySet()));
    return all;
  }

  /**
   * Returns the labels that nodes lack which declare a role and cannot hold it; empty if none do.
   */
  public Optional<String> lacking(String role) {
    return members.values().stream()
        .flatMap(member -> Optional.ofNullable(member.offer().unfit().get(role)).stream())
        .min(Comparator.naturalOrder());
  }

  void drain(boolean drains) {
    draining = drains;
  }

  boolean isDraining() {
    return draining;
  }

  void saw(List<Member> now, long nowNs) {
    boolean same = now.size() == members.size();
    Map<String, Candidate> next = new HashMap<>();
    for (Member member : now) {
      Candidate before = members.get(member.bootId());
      Candidate candidate = before != null && before.tells(member) ? before : read(member);
      long sinceNs = before == null ? nowNs : before.sinceNs();
      Offer offer = candidate.offer();
      Candidate seen = new Candidate(member, offer, candidate.roles(), sinceNs);
      same &= before != null && seen.isAs(before);
      next.put(member.bootId(), seen);
      if (member.bootId().equals(boot)) {
        weight = offer.weight();
      }
    }
    members = next;
    changedNs = same ? changedNs : nowNs;
  }

  /**
   * Returns the time at which a node came or went, or at which a change of draining, weight or
   * machine was last seen.
   */
  long changedNs() {
    return changedNs;
  }

  /**
   * Returns whether every node publishes its machine, and hence is new enough to move roles for
   * balance.
   */
  boolean rolesMayMove() {
    return members.values().stream().noneMatch(member -> member.machine().isEmpty());
  }

  /** Returns the live nodes. */
  Collection<Candidate> all() {
    return members.values();
  }

  /**
   * Returns the candidates for a role, this node by its published offer, in the order of its
   * ranking.
   */
  List<Candidate> published(Partition role) {
    String key = role.toString();
    return members.values().stream()
        .filter(member -> !member.offer().draining() && member.covers(role))
        .map(member -> scored(key, member, member.weight()))
        .sorted(BY_SCORE)
        .map(Scored::candidate)
        .toList();
  }

  private static Candidate read(Member member) {
    Offer offer = Offer.of(member);
    Set<Partition> roles =
        offer.roles().stream().map(Partition::ofRole).collect(Collectors.toUnmodifiableSet());
    return new Candidate(member, offer, roles, 0);
  }

  /** Returns the boots of the live members. */
  Set<String> boots() {
    return members.keySet();
  }

  /**
   * Returns the candidates for a partition, the first of its ranking first, without nodes that
   * drain.
   *
   * @param without boots that are believed to be gone
   * @param mayOwn whether this node is one, whatever it has published so far
   */
  List<Candidate> of(Partition partition, Set<String> without, boolean mayOwn) {
    List<Scored> scored = new ArrayList<>();
    String key = partition.toString();
    for (Candidate member : members.values()) {
      if (!member.boot().equals(boot)
          && !without.contains(member.boot())
          && !member.offer().draining()
          && member.covers(partition)) {
        scored.add(scored(key, member, member.offer().weight()));
      }
    }
    if (mayOwn && (!draining || scored.isEmpty())) {
      Member self = new Member(node, boot, Instant.EPOCH, Map.of());
      Candidate me = members.getOrDefault(boot, new Candidate(self, Offer.NONE, Set.of(), 0));
      scored.add(scored(key, me, weight));
    }
    scored.sort(BY_SCORE);
    return scored.stream().map(Scored::candidate).toList();
  }

  private static Scored scored(String key, Candidate member, double itsWeight) {
    return new Scored(member, RendezvousHash.score(key, member.name(), itsWeight));
  }
}
