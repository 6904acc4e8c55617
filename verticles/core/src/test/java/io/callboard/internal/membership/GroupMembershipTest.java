package io.callboard.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the members of groups. */
class GroupMembershipTest {
  private final List<String> broken = new ArrayList<>();

  private static ActorPath path(String path) {
    return ActorPath.of(path);
  }

  private static List<String> members(GroupMembership membership, String group) {
    return membership.members(group).stream().map(GroupMembership.Member::text).toList();
  }

  @Test
  void membersThatANodeTellsAreThoseThatTheOthersKnow() {
    GroupMembership one = new GroupMembership();
    assertThat(one.join("workers", path("/b"), false)).isTrue();
    assertThat(one.join("workers", path("/b"), false)).isFalse();
    assertThat(one.join("workers", path("/a"), true)).isTrue();
    assertThat(one.join("others", path("/c"), false)).isTrue();
    assertThat(one.fact())
        .isEqualTo("{\"f\":1,\"groups\":{\"others\":[\"v/c\"],\"workers\":[\"d/a\",\"v/b\"]}}");

    GroupMembership two = new GroupMembership();
    assertThat(two.join("workers", path("/d"), false)).isTrue();
    assertThat(two.elsewhere(Map.of("one", one.fact()), broken))
        .containsExactlyInAnyOrder("workers", "others");
    assertThat(members(two, "workers")).containsExactly("d/a", "v/b", "v/d");
    assertThat(two.elsewhere(Map.of("one", one.fact()), broken)).isEmpty();

    assertThat(one.leave(path("/c"))).containsExactly("others");
    assertThat(one.leave(path("/c"))).isEmpty();
    assertThat(two.elsewhere(Map.of("one", one.fact()), broken)).containsExactly("others");
    assertThat(two.elsewhere(Map.of(), broken)).containsExactly("workers");
    assertThat(members(two, "workers")).containsExactly("v/d");
    assertThat(broken).isEmpty();
  }

  @Test
  void beyondTheLimitTheyWait() {
    GroupMembership full = new GroupMembership();
    for (int i = 0; i < GroupMembership.MOST; i++) {
      assertThat(full.isFull()).isFalse();
      assertThat(full.join("workers", path("/w/" + i), false)).isTrue();
    }
    assertThat(full.join("workers", path("/more"), false)).isFalse();
    assertThat(full.join("others", path("/gone"), true)).isFalse();
    assertThat(full.join("others", path("/next"), true)).isFalse();
    assertThat(full.waiting()).isEqualTo(3);
    assertThat(members(full, "workers")).hasSize(GroupMembership.MOST).doesNotContain("v/more");
    assertThat(full.leave(path("/gone"))).isEmpty();
    assertThat(full.waiting()).isEqualTo(2);
    assertThat(full.leave(path("/w/1"))).containsExactly("workers");
    assertThat(members(full, "workers")).contains("v/more").doesNotContain("v/w/1");
    assertThat(full.leave(path("/w/2"))).containsExactlyInAnyOrder("workers", "others");
    assertThat(members(full, "others")).containsExactly("d/next");
    assertThat(full.waiting()).isZero();
    assertThat(full.isFull()).isTrue();
    assertThat(new GroupMembership().elsewhere(Map.of("full", full.fact()), broken)).hasSize(2);
    assertThat(broken).isEmpty();
  }

  @Test
  void unreadableGroupsAreLeftOutAndTold() {
    GroupMembership here = new GroupMembership();
    Map<String, String> facts = new HashMap<>();
    facts.put("good", "{\"f\":1,\"groups\":{\"g\":[\"v/a\"]},\"more\":true}");
    facts.put("newer", "{\"f\":2,\"groups\":{\"g\":[\"v/b\"]}}");
    facts.put("odd", "{\"f\":1,\"groups\":{\"g\":[\"v/ok\",\"x/b\"]}}");
    facts.put("noPath", "{\"f\":1,\"groups\":{\"g\":[\"v/a b\"]}}");
    facts.put("noJson", "groups");
    facts.put("lacking", "{}");
    assertThat(here.elsewhere(facts, broken)).containsExactly("g");
    assertThat(members(here, "g")).containsExactly("v/a");
    assertThat(broken)
        .hasSize(5)
        .allMatch(why -> why.startsWith("the groups of node "))
        .anyMatch(why -> why.contains("format 2"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void allNodesAgreeInTheEnd(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<GroupMembership> nodes =
        List.of(new GroupMembership(), new GroupMembership(), new GroupMembership());
    Map<Integer, String> groupOf = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      int actor = random.nextInt(60);
      GroupMembership node = nodes.get(actor % 3);
      String group = "g" + random.nextInt(3);
      if (random.nextBoolean()) {
        boolean changed = node.join(group, path("/" + actor), false);
        assertThat(changed).isEqualTo(!group.equals(groupOf.put(actor, group)));
      } else {
        Set<String> left = node.leave(path("/" + actor));
        String was = groupOf.remove(actor);
        assertThat(left).isEqualTo(was == null ? Set.of() : Set.of(was));
      }
      if (random.nextInt(10) == 0) {
        tell(nodes, random.nextInt(3));
      }
    }
    for (int i = 0; i < 3; i++) {
      tell(nodes, i);
    }
    for (String group : Set.of("g0", "g1", "g2")) {
      Set<String> expected = new TreeSet<>();
      groupOf.forEach(
          (actor, in) -> expected.addAll(in.equals(group) ? Set.of("v/" + actor) : Set.of()));
      assertThat(nodes).allMatch(node -> members(node, group).equals(List.copyOf(expected)));
    }
  }

  private void tell(List<GroupMembership> nodes, int told) {
    Map<String, String> facts = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      if (i != told) {
        facts.put("node-" + i, nodes.get(i).fact());
      }
    }
    Set<String> changed = nodes.get(told).elsewhere(facts, broken);
    assertThat(nodes.get(told).elsewhere(facts, broken)).as("again, after " + changed).isEmpty();
  }
}
