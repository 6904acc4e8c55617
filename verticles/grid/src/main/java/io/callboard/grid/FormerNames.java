package io.callboard.grid;

import io.callboard.store.Lease;
import io.callboard.store.Member;
import io.callboard.time.Machine;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Former names of nodes, as their data directories know them and they publish them: a node that
 * lives on under another name is not lost.
 */
@Machine
final class FormerNames {
  /** Fact of a node: {@code name time} for each, separated by commas. */
  static final String FACT = "grid.former";

  private FormerNames() {}

  /**
   * Returns the fact.
   *
   * @param names former names, each with when the node was first started with another one
   */
  static String fact(Map<String, Instant> names) {
    return names.entrySet().stream()
        .map(former -> former.getKey() + " " + former.getValue())
        .sorted()
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the member that had the name of a lease's owner at the time of the claim, and has
   * another name now.
   */
  static Optional<Member> successor(Lease lease, Collection<Member> members) {
    return members.stream()
        .filter(member -> wasCalled(member, lease.owner(), lease.at()))
        .findFirst();
  }

  private static boolean wasCalled(Member member, String name, Instant at) {
    return Stream.of(member.facts().getOrDefault(FACT, "").split(","))
        .map(former -> former.split(" "))
        .anyMatch(
            former -> former.length == 2 && former[0].equals(name) && isBefore(at, former[1]));
  }

  private static boolean isBefore(Instant at, String time) {
    try {
      return at.isBefore(Instant.parse(time));
    } catch (DateTimeException e) { // of a version that writes another form
      return false;
    }
  }
}
