package io.callboard.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.Member;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventLogTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private final List<Member> members = new ArrayList<>();
  private final Map<Partition, Lease> leases = new HashMap<>();
  private final Map<String, List<NodeEvents.Note>> notes = new HashMap<>();
  private EventLog log = EventLog.EMPTY;

  private void member(String name) {
    members.add(new Member(name, "boot-" + name, NOW.minusSeconds(60), Map.of()));
  }

  private void holds(String role, String node, long epoch) {
    Partition partition = Partition.ofRole(role);
    leases.put(partition, new Lease(partition, epoch, node, "boot-" + node, 0, "", NOW));
  }

  private List<String> look() {
    EventLog before = log;
    log = log.after(leases, members, List.of("gate"), notes, NOW);
    return log.events().stream()
        .filter(event -> !before.events().contains(event))
        .map(event -> event.kind() + " " + event.subject())
        .toList();
  }

  @Test
  void aChangeIsNotedOnce() {
    member("a");
    member("b");
    holds("gate", "a", 1);
    assertThat(look()).containsExactlyInAnyOrder("NODE_JOINED a", "NODE_JOINED b");
    assertThat(look()).isEmpty();
    holds("gate", "b", 2);
    assertThat(look()).containsExactly("ROLE_MOVED gate");
    assertThat(look()).isEmpty();
  }

  @Test
  void aNodeThatGaveItsRoleBackHasLeftAndOneThatDidNotIsLost() {
    member("a");
    member("b");
    holds(NodeActor.role("a"), "a", 1);
    assertThat(look()).hasSize(2);
    members.clear();
    assertThat(look()).containsExactlyInAnyOrder("NODE_LOST a", "NODE_LEFT b");
  }

  @Test
  void aNodeThatWasStartedAgainUnderAnotherNameHasLeft() {
    member("a");
    holds(NodeActor.role("a"), "a", 1);
    assertThat(look()).containsExactly("NODE_JOINED a");
    members.clear();
    Instant renamed = NOW.plusSeconds(1);
    members.add(
        new Member(
            "b",
            "boot-b",
            renamed,
            Map.of(FormerNames.FACT, FormerNames.fact(Map.of("a", renamed)))));
    assertThat(look()).containsExactlyInAnyOrder("NODE_JOINED b", "NODE_LEFT a");
    assertThat(log.events())
        .extracting(GridEvent::detail)
        .contains("it was started again as node b");
    assertThat(look()).isEmpty();
  }

  @Test
  void aLostNodeThatIsStartedAgainUnderAnotherNameHasLeft() {
    member("a");
    holds(NodeActor.role("a"), "a", 1);
    assertThat(look()).containsExactly("NODE_JOINED a");
    members.clear();
    assertThat(look()).containsExactly("NODE_LOST a");
    Instant renamed = NOW.plusSeconds(1);
    members.add(
        new Member(
            "b",
            "boot-b",
            renamed,
            Map.of(FormerNames.FACT, FormerNames.fact(Map.of("a", renamed)))));
    assertThat(look()).containsExactlyInAnyOrder("NODE_JOINED b", "NODE_LEFT a");
    assertThat(look()).isEmpty();
  }

  /** Its second life was shorter than the time between two looks. */
  @Test
  void aLostNodeThatWasBackBetweenTwoLooksHasLeft() {
    member("a");
    holds(NodeActor.role("a"), "a", 1);
    assertThat(look()).containsExactly("NODE_JOINED a");
    members.clear();
    assertThat(look()).containsExactly("NODE_LOST a");
    assertThat(look()).isEmpty();
    Partition own = Partition.ofRole(NodeActor.role("a"));
    leases.put(own, new Lease(own, 2, "", "", 0, "", NOW));
    assertThat(look()).containsExactly("NODE_LEFT a");
    assertThat(look()).isEmpty();
    members.add(new Member("a", "third-boot", NOW, Map.of()));
    assertThat(look()).containsExactly("NODE_JOINED a");
  }

  @Test
  void notesOfMembersAreTakenOverOnce() {
    member("a");
    var unused = look();
    notes.put("boot-a", List.of(new NodeEvents.Note(1, NOW, "ZONE_FAILED", "/shop", "why")));
    notes.put("boot-gone", List.of(new NodeEvents.Note(1, NOW, "ZONE_FAILED", "/no", "why")));
    assertThat(look()).containsExactly("ZONE_FAILED /shop");
    assertThat(look()).isEmpty();
    notes.put(
        "boot-a",
        List.of(
            new NodeEvents.Note(1, NOW, "ZONE_FAILED", "/shop", "why"),
            new NodeEvents.Note(2, NOW, "TYPE_PAUSED", "etl", "by an operator")));
    assertThat(look()).containsExactly("TYPE_PAUSED etl");
  }

  @Test
  void aSessionThatComesBackTakesNoNoteTwiceAndIsSeenEachTime() {
    member("a");
    notes.put("boot-a", List.of(new NodeEvents.Note(3, NOW, "ZONE_FAILED", "/shop", "why")));
    assertThat(look()).containsExactlyInAnyOrder("NODE_JOINED a", "ZONE_FAILED /shop");
    members.clear();
    assertThat(look()).containsExactly("NODE_LEFT a");
    members.add(new Member("a", "boot-a", NOW.minusSeconds(5), Map.of()));
    assertThat(look()).containsExactly("NODE_JOINED a");
    assertThat(log.events()).extracting(GridEvent::id).doesNotHaveDuplicates();
  }

  @Test
  void aGapInTheNumbersIsAnEvent() {
    member("a");
    notes.put("boot-a", List.of(new NodeEvents.Note(1, NOW, "TYPE_PAUSED", "t1", "")));
    assertThat(look()).contains("TYPE_PAUSED t1").doesNotContain("NOTES_LOST a");
    notes.put("boot-a", List.of(new NodeEvents.Note(5, NOW, "TYPE_PAUSED", "t5", "")));
    assertThat(look()).containsExactlyInAnyOrder("NOTES_LOST a", "TYPE_PAUSED t5");
    assertThat(log.events().toString()).contains("3 notes lost");
    assertThat(look()).isEmpty();
  }

  @Test
  void theStoredLogHasALimitInBytes() {
    List<GridEvent> large = new ArrayList<>();
    for (int i = 0; i < EventLog.MOST; i++) {
      large.add(new GridEvent("e" + i, NOW, "ZONE_FAILED", "/" + "ü".repeat(500), "ü".repeat(500)));
    }
    EventLog all = new EventLog(large, Map.of("boot-a", "a"), Map.of(), Map.of("boot-a", 7L));
    byte[] bytes = StoredEvents.encode(all);
    assertThat(bytes).hasSizeLessThanOrEqualTo(Limits.DOCUMENT_BYTES);
    EventLog read = StoredEvents.decode(bytes);
    assertThat(read.events()).isEqualTo(large.subList(200 - read.events().size(), 200));
    assertThat(read.events().size()).isBetween(50, 199);
    assertThat(read.members()).isEqualTo(all.members());
    assertThat(read.noted()).isEqualTo(all.noted());
  }

  /** What limits.md says of cells with very many nodes. */
  @Test
  void aThousandNodesLeaveRoomForTheLastEvents() {
    EventLog log =
        new EventLog(
            IntStream.range(0, EventLog.MOST)
                .mapToObj(
                    i -> new GridEvent("note:" + UUID.randomUUID() + ":" + i, NOW, "k", "s", ""))
                .toList(),
            nodes(1_000, i -> "node-of-some-length-" + i),
            Map.of(),
            nodes(1_000, i -> 1_000L + i));
    byte[] bytes = StoredEvents.encode(log);
    assertThat(bytes).hasSizeLessThanOrEqualTo(Limits.DOCUMENT_BYTES);
    assertThat(StoredEvents.decode(bytes).events()).hasSizeGreaterThan(20);
    EventLog tooMany =
        new EventLog(
            List.of(), nodes(2_000, i -> "node-of-some-length-" + i), Map.of(), log.noted());
    assertThat(StoredEvents.encode(tooMany)).hasSizeGreaterThan(Limits.DOCUMENT_BYTES);
  }

  private static <T> Map<String, T> nodes(int number, IntFunction<T> of) {
    Map<String, T> nodes = new HashMap<>();
    for (int i = 0; i < number; i++) {
      nodes.put(new UUID(1, i).toString(), of.apply(i));
    }
    return nodes;
  }

  @Test
  void aNodeWithoutEventsTakesNoRoomInTheLog() {
    member("a");
    log = new EventLog(List.of(), Map.of("boot-a", "a"), Map.of(), Map.of("boot-a", 0L));
    notes.put("boot-a", List.of());
    assertThat(look()).isEmpty();
    assertThat(log.noted()).isEmpty();
    notes.put("boot-a", List.of(new NodeEvents.Note(3, NOW, "TYPE_PAUSED", "t3", "")));
    assertThat(look())
        .as("it was known, and had none")
        .containsExactlyInAnyOrder("NOTES_LOST a", "TYPE_PAUSED t3");
    assertThat(log.noted()).containsExactly(Map.entry("boot-a", 3L));
  }

  @Test
  void onlyTheLastAreKept() {
    member("a");
    var unused = look();
    for (long i = 1; i <= EventLog.MOST + 50; i++) {
      notes.put(
          "boot-a",
          List.of(new NodeEvents.Note(i, NOW.plusSeconds(i), "TYPE_PAUSED", "t" + i, "")));
      assertThat(look()).contains("TYPE_PAUSED t" + i);
    }
    assertThat(log.events()).hasSize(EventLog.MOST);
    assertThat(log.events().get(EventLog.MOST - 1).subject()).isEqualTo("t250");
  }
}
