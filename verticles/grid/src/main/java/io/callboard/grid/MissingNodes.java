package io.callboard.grid;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the nodes that are missing. Pure. */
@Machine
final class MissingNodes {
  /** Maximum number of lost nodes whose time is kept. */
  static final int MOST = 100;

  private MissingNodes() {}

  /**
   * Returns the suspected members, then the nodes that vanished without leaving and have not come
   * back under another name.
   *
   * @param suspects boot ids of suspects
   * @param lostSince since when nodes are lost, by their boot ids, as far as that is known
   */
  static List<MissingNode> of(
      Collection<Lease> leases,
      List<Member> members,
      Set<String> suspects,
      Map<String, Instant> lostSince) {
    Stream<MissingNode> silent =
        members.stream()
            .filter(member -> suspects.contains(member.bootId()))
            .map(member -> new MissingNode(member.name(), member.bootId(), true, null));
    Stream<MissingNode> lost =
        lost(leases, members)
            .map(
                lease ->
                    new MissingNode(
                        lease.owner(), lease.ownerBoot(), false, lostSince.get(lease.ownerBoot())));
    return Stream.concat(silent, lost).sorted(Comparator.comparing(MissingNode::name)).toList();
  }

  /**
   * Returns since when nodes are lost, by their boot ids; of at most {@value #MOST}, those first
   * that were lost before.
   */
  static Map<String, Instant> since(
      Collection<Lease> leases, List<Member> members, Map<String, Instant> before, Instant now) {
    TreeMap<String, Instant> since = new TreeMap<>();
    lost(leases, members)
        .map(Lease::ownerBoot)
        .sorted(Comparator.comparing((String boot) -> !before.containsKey(boot)))
        .limit(MOST)
        .forEach(boot -> since.put(boot, before.getOrDefault(boot, now)));
    return since;
  }

  private static Stream<Lease> lost(Collection<Lease> leases, List<Member> members) {
    Set<String> names = members.stream().map(Member::name).collect(Collectors.toSet());
    return leases.stream()
        .filter(lease -> !lease.isFree() && !names.contains(lease.owner()))
        .filter(lease -> lease.partition().equals(Partition.ofRole(NodeActor.role(lease.owner()))))
        .filter(lease -> FormerNames.successor(lease, members).isEmpty());
  }
}
