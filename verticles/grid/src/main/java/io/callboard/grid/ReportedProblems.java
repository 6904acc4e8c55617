package io.callboard.grid;

import io.callboard.codecs.ActorPath;
import io.callboard.store.Member;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Problems that the nodes of a grid report about themselves.
 *
 * @param unhandled actors with mail that the owners of their partitions do not run, by owner
 * @param down actors of the toolkit's own that do not run where they should, by node
 * @param failed hosted actors that gave up, each with its last failure, by node
 * @param clocks as {@link Clocks#pairs}
 * @param faults as {@link HostFaults#of}
 */
record ReportedProblems(
    Map<String, List<ActorPath>> unhandled,
    Map<String, List<ActorPath>> down,
    Map<String, Map<ActorPath, String>> failed,
    Map<String, Long> clocks,
    Map<String, String> faults) {
  /** Reports of a grid without problems. */
  static final ReportedProblems NONE =
      new ReportedProblems(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

  /** Returns the reports that the members have published. */
  static ReportedProblems of(List<Member> members) {
    return new ReportedProblems(
        byNode(members, NodeActor::unhandled),
        byNode(members, NodeActor::down),
        byNode(members, NodeActor::failed),
        Clocks.pairs(members),
        HostFaults.of(members));
  }

  private static <T> Map<String, T> byNode(List<Member> members, Function<Member, T> report) {
    return members.stream().collect(Collectors.toMap(Member::name, report));
  }
}
