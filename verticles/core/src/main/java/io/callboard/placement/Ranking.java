package io.callboard.placement;

import io.callboard.codecs.Partition;
import io.callboard.store.Member;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The members as they were seen last, in the order in which they are to own a partition. */
public final class Ranking {
  private final String node;
  private final String boot;
  private Map<String, Candidate> members = Map.of();
  private double weight = Offer.NONE.weight();
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

    private boolean tells(Member other) {
      return Objects.equals(member.facts().get(Offer.FACT), other.facts().get(Offer.FACT));
    }
  }

  private record Scored(Candidate candidate, double score) {}

  Ranking(String node, String boot) {
    this.node = node;
    this.boot = boot;
  }

  /** As somebody sees it who owns nothing. */
  public static Ranking of(List<Member> members) {
    Ranking ranking = new Ranking("", "");
    ranking.saw(members, 0);
    return ranking;
  }

  /** The members that may own a partition, the first of its ranking first. */
  public List<Member> of(Partition partition) {
    return of(partition, Set.of(), false).stream().map(Candidate::member).toList();
  }

  /** Whether a node of that boot is a member. */
  public boolean isMember(String someBoot) {
    return members.containsKey(someBoot);
  }

  /** How many members there are. */
  public int size() {
    return members.size();
  }

  /** The roles that members declare, whether they can hold them or not. */
  public Set<String> roles() {
    Set<String> all = new TreeSet<>();
    members.values().forEach(member -> all.addAll(member.offer().roles()));
    members.values().forEach(member -> all.addAll(member.offer().unfit().keySet()));
    return all;
  }

  /** The labels that nodes lack which declare a role and cannot hold it; empty if none do. */
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
    Map<String, Candidate> next = new HashMap<>();
    for (Member member : now) {
      Candidate before = members.get(member.bootId());
      Candidate candidate = before != null && before.tells(member) ? before : read(member);
      long sinceNs = before == null ? nowNs : before.sinceNs();
      Offer offer = candidate.offer();
      next.put(member.bootId(), new Candidate(member, offer, candidate.roles(), sinceNs));
      if (member.bootId().equals(boot)) {
        weight = offer.weight();
      }
    }
    members = next;
  }

  private static Candidate read(Member member) {
    Offer offer = Offer.of(member);
    Set<Partition> roles =
        offer.roles().stream().map(Partition::ofRole).collect(Collectors.toUnmodifiableSet());
    return new Candidate(member, offer, roles, 0);
  }

  /** Of the live members. */
  Set<String> boots() {
    return members.keySet();
  }

  /**
   * Those that may own a partition, the first of its ranking first. A node that drains is none.
   *
   * @param without boots that are believed to be gone
   * @param mayOwn whether this node is one, whatever it has told the others so far
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
    scored.sort(
        Comparator.comparingDouble(Scored::score)
            .reversed()
            .thenComparing(each -> each.candidate().name()));
    return scored.stream().map(Scored::candidate).toList();
  }

  private static Scored scored(String key, Candidate member, double itsWeight) {
    return new Scored(member, RendezvousHash.score(key, member.name(), itsWeight));
  }
}
