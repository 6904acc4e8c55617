package io.callboard.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which nodes are missing: suspects, and those that went without leaving. */
class MissingNodesTest {
  private static Lease own(String node, String owner, String boot) {
    return new Lease(Partition.ofRole(NodeActor.role(node)), 3, owner, boot, 1);
  }

  private static Member member(String name, String boot) {
    return new Member(name, boot, Instant.EPOCH, Map.of());
  }

  @Test
  void silentNodesAndThoseThatVanishedWithTheirRoleAreMissing() {
    List<Member> members = List.of(member("one", "b1"), member("two", "b2"), member("six", "b6"));
    List<Lease> leases =
        List.of(
            own("one", "one", "b1"),
            own("two", "two", "b2"),
            own("three", "three", "b3"), // killed
            own("four", "", ""), // left
            own("six", "six", "b5"), // killed, and back: it has not taken its role yet
            new Lease(Partition.ofRole("clerk"), 3, "three", "b3", 1));
    Instant noon = Instant.parse("2026-11-26T12:00:00Z");
    Map<String, Instant> since = MissingNodes.since(leases, members, Map.of("b1", noon), noon);
    assertThat(since).containsExactly(Map.entry("b3", noon));
    assertThat(MissingNodes.of(leases, members, Set.of("b2", "b9"), since))
        .containsExactly(
            new MissingNode("three", "b3", false, noon), new MissingNode("two", "b2", true, null));
    assertThat(MissingNodes.since(leases, members, since, noon.plusSeconds(9)))
        .as("since it was first seen")
        .isEqualTo(since);
  }

  @Test
  void amongManyLostNodesTheKnownOnesAreKept() {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < MissingNodes.MOST; i++) {
      leases.add(own("n" + i, "n" + i, "b" + i));
    }
    Map<String, Instant> before = MissingNodes.since(leases, List.of(), Map.of(), Instant.EPOCH);
    leases.add(0, own("late", "late", "a"));
    assertThat(MissingNodes.since(leases, List.of(), before, Instant.now())).isEqualTo(before);
  }

  @Test
  void aNodeWhoseDataDirectoryLivesOnUnderAnotherNameIsNotMissing() {
    Instant noon = Instant.parse("2026-11-26T12:00:00Z");
    Partition record = Partition.ofRole(NodeActor.role("old"));
    Lease before = new Lease(record, 3, "old", "b1", 1, "", noon.minusSeconds(60));
    Member renamed =
        new Member(
            "new", "b2", noon, Map.of(FormerNames.FACT, FormerNames.fact(Map.of("old", noon))));

    assertThat(MissingNodes.of(List.of(before), List.of(renamed), Set.of(), Map.of())).isEmpty();
    assertThat(MissingNodes.since(List.of(before), List.of(renamed), Map.of(), noon)).isEmpty();
    Lease another = new Lease(record, 5, "old", "b3", 1, "", noon.plusSeconds(60));
    assertThat(MissingNodes.of(List.of(another), List.of(renamed), Set.of(), Map.of()))
        .as("another node that took the name later")
        .containsExactly(new MissingNode("old", "b3", false, null));
    assertThat(MissingNodes.of(List.of(before), List.of(), Set.of(), Map.of()))
        .as("the one with the new name is gone, too")
        .hasSize(1);
  }

  @Test
  void aFactOfFormerNamesThatCannotBeReadNamesNone() {
    Lease before = own("old", "old", "b1");
    for (String damaged : List.of("old", "old noon", " ", "old 2026-11-26T12:00:00Z,x")) {
      Member odd = new Member("new", "b2", Instant.EPOCH, Map.of(FormerNames.FACT, damaged));
      assertThat(FormerNames.successor(before, List.of(odd)).isPresent())
          .as(damaged)
          .isEqualTo(damaged.contains(","));
    }
  }
}
