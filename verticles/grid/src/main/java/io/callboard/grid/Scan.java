package io.callboard.grid;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.grid.Finding.Kind;
import io.callboard.placement.Ranking;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.time.Machine;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Comparison of the stored state of a grid with its intended state. A machine without I/O: it
 * reports what it sees in two consecutive scans, and which nodes are to look.
 */
@Machine
final class Scan {
  /** Maximum number of findings reported; more of them have a common cause. */
  static final int MOST = 50;

  private Set<Finding> seenBefore = Set.of();

  /**
   * Result of a scan.
   *
   * @param findings defects seen in two consecutive scans, at most {@value #MOST}
   * @param lookers names of nodes that could own what has no owner
   */
  record Result(List<Finding> findings, Set<String> lookers) {}

  /** Returns the partitions without a live owner; only these need to be searched for mail. */
  static Set<Partition> ownerless(
      Set<Partition> stored, Map<Partition, Lease> leases, Ranking members) {
    Set<Partition> found = new TreeSet<>(stored);
    found.removeIf(partition -> owner(partition, leases, members).isPresent());
    return found;
  }

  /** Returns the lease of a partition, if its owner lives. */
  private static Optional<Lease> owner(
      Partition partition, Map<Partition, Lease> leases, Ranking members) {
    return Optional.ofNullable(leases.get(partition))
        .filter(lease -> members.isMember(lease.ownerBoot()));
  }

  /**
   * Evaluates one scan.
   *
   * @param withMail partitions without an owner that hold mail, each with one addressee
   */
  Result look(
      Map<Partition, Lease> leases,
      Ranking members,
      Map<Partition, ActorPath> withMail,
      ReportedProblems reports) {
    Set<Finding> seen = new LinkedHashSet<>();
    Set<String> lookers = new TreeSet<>();
    roles(leases, members, seen, lookers);
    Set<Partition> known = new TreeSet<>(leases.keySet());
    known.addAll(withMail.keySet());
    known.removeIf(Partition::isRole);
    partitions(known, leases, members, seen, lookers);
    withMail.forEach(
        (partition, actor) -> {
          if (members.of(partition).isEmpty() && owner(partition, leases, members).isEmpty()) {
            String whose = actor.role().map(role -> "roles/" + role).orElse(actor.space());
            seen.add(
                new Finding(
                    Kind.MAIL_FOR_NOBODY,
                    whose,
                    "mail waits for actors of /%s, and no live node runs them".formatted(whose)));
          }
        });
    new TreeMap<>(reports.unhandled())
        .forEach((node, actors) -> actors.forEach(actor -> seen.add(unhandled(node, actor))));
    new TreeMap<>(reports.down())
        .forEach((node, actors) -> actors.forEach(actor -> seen.add(down(node, actor))));
    new TreeMap<>(reports.failed())
        .forEach(
            (node, actors) -> actors.forEach((actor, why) -> seen.add(failed(node, actor, why))));
    reports.clocks().forEach((pair, ahead) -> seen.add(clocks(pair, ahead)));
    reports.faults().forEach((host, why) -> seen.add(new Finding(Kind.HOST_FAULT, host, why)));
    lookers.removeIf(name -> !members.roles().contains(NodeActor.role(name)));
    List<Finding> findings = seen.stream().filter(seenBefore::contains).limit(MOST).toList();
    seenBefore = seen;
    return new Result(findings, findings.isEmpty() ? Set.of() : lookers);
  }

  private static Finding unhandled(String node, ActorPath actor) {
    return new Finding(
        Kind.MAIL_FOR_NOBODY,
        actor.toString().substring(1),
        "mail waits for it, but node %s owns its partition and does not host it: host the same actors in /%s on each node"
            .formatted(node, actor.space()));
  }

  private static Finding down(String node, ActorPath actor) {
    return new Finding(
        Kind.TOOLKIT_ACTOR_DOWN,
        actor.toString().substring(1),
        "it was stopped or failed permanently on node %s, which cannot do its part without it: if it was stopped, resume it there; if it failed, the node resumes it by itself, again and again"
            .formatted(node),
        node);
  }

  private static Finding failed(String node, ActorPath actor, String why) {
    return new Finding(
        Kind.HOSTED_ACTOR_FAILED,
        actor.toString().substring(1),
        "it failed permanently on node %s%s: its mail waits, and the node resumes it by itself, again and again"
            .formatted(node, why.isEmpty() ? "" : " after \"%s\"".formatted(why)),
        node);
  }

  private static Finding clocks(String pair, long ahead) {
    return new Finding(
        Kind.CLOCKS_DIFFER,
        pair,
        "their clocks differ: the second is %d s %s the first; synchronise both by NTP"
            .formatted(Math.abs(ahead), ahead < 0 ? "behind" : "ahead of"));
  }

  private static void roles(
      Map<Partition, Lease> leases, Ranking members, Set<Finding> seen, Set<String> lookers) {
    Set<String> names = new TreeSet<>(members.roles());
    names.removeIf(name -> name.startsWith(NodeActor.PREFIX));
    for (String name : names) {
      Partition partition = Partition.ofRole(name);
      List<Member> candidates = members.of(partition);
      Lease lease = owner(partition, leases, members).orElse(null);
      if (lease == null) {
        seen.add(
            new Finding(
                Kind.ROLE_WITHOUT_HOLDER,
                name,
                candidates.isEmpty() && members.lacking(name).isPresent()
                    ? "no node holds it: it requires the labels %s, and no live node that declares it and is not draining has them"
                        .formatted(members.lacking(name).get())
                    : "no node holds it; %s could".formatted(named(candidates))));
        candidates.forEach(candidate -> lookers.add(candidate.name()));
      } else if (members.size() > 1
          && candidates.stream().allMatch(each -> each.bootId().equals(lease.ownerBoot()))) {
        seen.add(
            new Finding(
                Kind.ROLE_WITHOUT_STANDBY,
                name,
                "node %s holds it, and no other live node offers it".formatted(lease.owner())));
      } else if (isTogether(partition, lease, members)) {
        seen.add(
            new Finding(
                Kind.ROLE_WITHOUT_STANDBY,
                name,
                "node %s holds it, and no live node on another machine offers it"
                    .formatted(lease.owner())));
      }
    }
  }

  /** Returns whether holder and standby share a machine though there is another. */
  private static boolean isTogether(Partition role, Lease lease, Ranking members) {
    return members.isElsewhere(lease.ownerBoot())
        && members
            .standby(role, lease.ownerBoot())
            .filter(standby -> members.areTogether(standby.bootId(), lease.ownerBoot()))
            .isPresent();
  }

  private static void partitions(
      Set<Partition> known,
      Map<Partition, Lease> leases,
      Ranking members,
      Set<Finding> seen,
      Set<String> lookers) {
    for (Partition partition : known) {
      List<Member> candidates = members.of(partition);
      if (candidates.isEmpty()) {
        continue;
      }
      Lease lease = owner(partition, leases, members).orElse(null);
      if (lease == null) {
        seen.add(
            new Finding(
                Kind.PARTITION_WITHOUT_OWNER,
                partition.toString(),
                "no node owns it; %s could".formatted(named(candidates))));
        candidates.forEach(candidate -> lookers.add(candidate.name()));
      } else if (!candidates.get(0).bootId().equals(lease.ownerBoot())) {
        seen.add(
            new Finding(
                Kind.OUT_OF_PLACE,
                partition.toString(),
                "node %s owns it, and node %s should"
                    .formatted(lease.owner(), candidates.get(0).name()),
                candidates.get(0).name()));
        lookers.add(lease.owner());
      }
    }
  }

  private static String named(List<Member> members) {
    return members.isEmpty()
        ? "nobody"
        : String.join(", ", members.stream().map(Member::name).limit(5).toList());
  }
}
