package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Cases of refused commits: the reason, and the unit that is named. */
interface RefusalCases extends TckStage {
  @Test
  default void aTurnOnAnOldRecordIsStale() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.applies(lease, TckUnit.turn(actor, 0, 1).unit());
    node.refuses(Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, 0, 2).unit());
    node.refuses(Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, 2, 2).unit());
    node.refuses(Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, -1, 2).unit());
    ActorPath absent = ActorPath.of("/other/absent");
    Lease other = node.claim(absent);
    node.refuses(Reason.STALE, 0, Set.of(other), TckUnit.turn(absent, 0, 1).unit());
    node.applies(lease, TckUnit.turn(actor, 1, 2).unit());
  }

  @Test
  default void mailThatIsNotThereCannotBeConsumed() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    assertThat(await(node.store().load(actor, lease)).mail().segments()).hasSize(1);
    node.refuses(Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, 0, 1).upTo(6, 0, 5L).unit());
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).unit());
    node.refuses(Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, 1, 2).upTo(1, 0, 0L).unit());
  }

  @Test
  default void mailNeedNotHaveBeenReadToBeConsumed() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).unit());
    assertThat(node.segments(actor)).isEmpty();
  }

  @Test
  default void journalAndParkedMessagesAreNeverOverwritten() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.applies(lease, TckUnit.turn(actor, 0, 1).journal("one").parks("id", "p").unit());
    node.refuses(Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, 1, 1).journal("two").unit());
    node.refuses(Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, 1, 2).parks("id", "q").unit());
    CommitUnit trimsWhatIsNotThere =
        TckUnit.turn(actor, 1, 2)
            .snapshot(JsonNodeFactory.instance.nullNode(), TckUnit.key(9, "one"))
            .unit();
    node.refuses(Reason.STALE, 0, Set.of(lease), trimsWhatIsNotThere);
  }

  @Test
  default void aReceiverWithoutMailboxIsNamed() {
    TckNode node = open("node");
    ActorPath there = mailbox(node, "/space/a");
    ActorPath absent = ActorPath.of("/space/absent");
    Refused refused =
        node.refuses(
            Reason.NO_MAILBOX,
            1,
            Set.of(),
            TckUnit.tell(there, "x", 1),
            TckUnit.tell(absent, "x", 2),
            TckUnit.tell(there, "x", 3));
    assertThat(refused.detail()).isEqualTo("/space/absent");
    await(node.store().createMailbox(absent));
    await(node.store().createMailbox(absent));
    node.sends(TckUnit.tell(absent, "x", 2));
    assertThat(node.segments(absent)).hasSize(1);
    assertThat(await(node.store().actor(absent)).orElseThrow().record().turn()).isZero();
  }

  @Test
  default void createMailboxKeepsTheRecordThatIsThere() {
    TckNode node = open("node");
    ActorPath actor = ActorPath.of("/space/spawned");
    Lease lease = node.claim(actor);
    node.applies(lease, TckUnit.turn(actor, -1, 1).unit());
    await(node.store().createMailbox(actor));
    node.sends(TckUnit.tell(actor, "x", 1));
    assertThat(await(node.store().load(actor, lease)).record().orElseThrow().record().turn())
        .isEqualTo(1);
  }

  @Test
  default void theFirstWriteOfAnActorMakesItsMailbox() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = ActorPath.of("/space/first");
    ActorPath second = ActorPath.of("/space/second");
    Lease lease = node.claim(actor);
    assertThat(await(node.store().load(actor, lease)).record()).isEmpty();
    node.applies(lease, TckUnit.turn(actor, -1, 1).unit());
    other.sends(TckUnit.tell(actor, "x", 1));
    node.sends(TckUnit.tell(actor, "y", 1));
    assertThat(node.segments(actor)).hasSize(2);
    Lease another = node.claim(second);
    node.applies(another, TckUnit.turn(second, -1, 1).unit(), TckUnit.tell(second, "z", 1));
    assertThat(node.segments(second)).hasSize(1);
  }

  @Test
  default void theFirstWriteKeepsWhatItSaysOfTheMailbox() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = ActorPath.of("/space/first");
    Lease lease = node.claim(actor);
    node.applies(lease, TckUnit.turn(actor, -1, 1).full(true).unit());
    other.refuses(Reason.FULL, 0, Set.of(), TckUnit.tell(actor, "x", 1));
    node.applies(lease, TckUnit.turn(actor, 0, 2).full(false).unit());
    other.sends(TckUnit.tell(actor, "x", 1));
    assertThat(node.segments(actor)).hasSize(1);
  }

  @Test
  default void theFirstWriteOfAnActorReplacesTheEmptyRecordThatASenderMade() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = ActorPath.of("/space/first");
    ActorPath second = ActorPath.of("/space/second");
    Lease lease = node.claim(actor);
    Lease another = node.claim(second);
    assertThat(await(node.store().load(actor, lease)).record()).isEmpty();
    await(other.store().createMailbox(actor));
    await(other.store().createMailbox(second));
    other.sends(TckUnit.tell(actor, "x", 1));
    node.applies(lease, TckUnit.turn(actor, -1, 1).full(true).unit());
    node.applies(another, TckUnit.turn(second, -1, 1).unit());
    node.applies(lease, TckUnit.turn(actor, 0, 2).unit());
    assertThat(node.segments(actor)).hasSize(1);
    other.refuses(Reason.FULL, 0, Set.of(), TckUnit.tell(actor, "x", 2));
    node.refuses(Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, -1, 1).unit());
    node.applies(another, TckUnit.turn(second, 0, 2).unit());
  }

  @Test
  default void aMailboxThatItsOwnerDeclaredFullIsFullForAll() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    other.sends(TckUnit.tell(actor, "x", 1));
    node.applies(lease, TckUnit.turn(actor, 0, 1).full(true).unit());
    CommitUnit late = TckUnit.tell(actor, "x", 2);
    other.refuses(Reason.FULL, 0, Set.of(), late);
    node.refuses(Reason.FULL, 0, Set.of(), late);
    node.applies(lease, TckUnit.turn(actor, 1, 2).full(false).unit());
    other.sends(late);
    assertThat(node.segments(actor)).hasSize(2);
  }

  @Test
  default void aMailboxThatNobodyEmptiesIsFullOnceItsLimitIsReached() {
    freshCell(5);
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    ActorPath peer = mailbox(node, "/space/b");
    for (int number = 1; number <= 5; number++) {
      node.sends(TckUnit.tell(actor, "x", number));
    }
    CommitUnit late = TckUnit.tell(actor, "x", 6);
    node.refuses(Reason.FULL, 1, Set.of(), TckUnit.tell(peer, "x", 1), late);
    node.refuses(Reason.FULL, 0, Set.of(), late);
    Lease lease = node.claim(actor);
    assertThat(await(node.store().load(actor, lease)).mail().segments()).hasSize(5);
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).unit());
    node.sends(late);
    node.refuses(Reason.FULL, 0, Set.of(), TckUnit.tell(actor, "x", 7));
  }

  @Test
  default void aRequestThatIsTooLargeNeverReachesTheWire() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.deaf();
    node.refuses(
        Reason.TOO_LARGE,
        1,
        Set.of(),
        TckUnit.tell(actor, "x", 1),
        TckUnit.tellBytes(actor, Limits.INLINE_BYTES));
    String state = "s".repeat(Limits.RECORD_BYTES);
    CommitUnit bigRecord =
        TckUnit.turn(actor, 0, 1).snapshot(JsonNodeFactory.instance.textNode(state)).unit();
    node.refuses(Reason.TOO_LARGE, 0, Set.of(lease), bigRecord);
    CommitUnit bigUnit =
        TckUnit.turn(actor, 0, 1)
            .snapshot(JsonNodeFactory.instance.textNode(state.substring(1_000)))
            .journal("j".repeat(Limits.UNIT_BYTES - Limits.RECORD_BYTES + 2_000))
            .unit();
    node.refuses(Reason.TOO_LARGE, 0, Set.of(lease), bigUnit);
    CommitUnit[] many =
        IntStream.range(0, 40)
            .mapToObj(i -> TckUnit.tellBytes(actor, Limits.INLINE_BYTES - 100))
            .toArray(CommitUnit[]::new);
    assertThat(node.commit(Set.of(), many))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.TOO_LARGE));
    assertThat(node.heard()).doesNotContain("disconnected");
    node.sends(TckUnit.tell(actor, "x", 1));
    assertThat(node.segments(actor)).hasSize(1);
  }

  @Test
  default void theLargestThatIsAllowedIsTaken() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tellBytes(actor, Limits.INLINE_BYTES - 200));
    String state = "s".repeat(Limits.RECORD_BYTES - 500);
    TckUnit turn = TckUnit.turn(actor, 0, 1).snapshot(JsonNodeFactory.instance.textNode(state));
    node.applies(lease, turn.unit());
    assertThat(await(node.store().load(actor, lease)).record().orElseThrow().record())
        .isEqualTo(turn.record());
    assertThat(await(node.store().actors(ActorPath.of("/space"), 100, Optional.empty())).readable())
        .hasSize(1);
  }
}
