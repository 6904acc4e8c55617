package io.callboard.placement;

import io.callboard.codecs.Partition;
import io.callboard.store.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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
   * @param sinceNs when it was first seen
   */
  record Candidate(String name, String boot, Offer offer, long sinceNs) {}

  private record Scored(Candidate candidate, double score) {}

  Ranking(String node, String boot) {
    this.node = node;
    this.boot = boot;
  }

  /** The members that may own a partition, the first of its ranking first. */
  public static List<Member> of(Partition partition, List<Member> members) {
    Ranking ranking = new Ranking("", "");
    ranking.saw(members, 0);
    Map<String, Member> byBoot = new HashMap<>();
    members.forEach(member -> byBoot.put(member.bootId(), member));
    return ranking.of(partition, Set.of(), false).stream()
        .map(candidate -> Objects.requireNonNull(byBoot.get(candidate.boot())))
        .toList();
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
      Offer offer = Offer.of(member);
      long sinceNs = before == null ? nowNs : before.sinceNs();
      next.put(member.bootId(), new Candidate(member.name(), member.bootId(), offer, sinceNs));
      if (member.bootId().equals(boot)) {
        weight = offer.weight();
      }
    }
    members = next;
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
          && member.offer().covers(partition)) {
        scored.add(scored(key, member, member.offer().weight()));
      }
    }
    if (mayOwn && (!draining || scored.isEmpty())) {
      Candidate me = members.getOrDefault(boot, new Candidate(node, boot, Offer.NONE, 0));
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
