package io.callboard.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Member;
import java.time.Instant;
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
  void theyAreThoseThatAreSilentAndThoseWhoseRoleNobodyGaveBack() {
    List<Member> members = List.of(member("one", "b1"), member("two", "b2"), member("six", "b6"));
    List<Lease> leases =
        List.of(
            own("one", "one", "b1"),
            own("two", "two", "b2"),
            own("three", "three", "b3"), // killed
            own("four", "", ""), // left
            own("six", "six", "b5"), // killed, and back: it has not taken its role yet
            new Lease(Partition.ofRole("clerk"), 3, "three", "b3", 1));
    assertThat(Grid.missing(leases, members, Set.of("b2", "b9")))
        .containsExactly(new MissingNode("three", "b3", false), new MissingNode("two", "b2", true));
  }
}
