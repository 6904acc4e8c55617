package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.ParkedKey;
import io.callboard.store.StoredParked;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Cases of parked messages. */
interface ParkedCases extends TckStage {
  private static void park(TckNode node, ActorPath actor, String... ids) {
    Lease lease = node.claim(actor);
    TckUnit turn = TckUnit.turn(actor, 0, 1);
    for (String id : ids) {
      TckUnit unused = turn.parks(id, "what " + id + " said");
    }
    node.applies(lease, turn.unit());
  }

  private static List<String> mail(TckNode node, ActorPath actor) {
    return node.segments(actor).stream().flatMap(s -> TckUnit.ids(s).stream()).toList();
  }

  private static List<String> parked(TckNode node) {
    return await(node.store().parked(10)).stream().map(StoredParked::id).toList();
  }

  @Test
  default void aParkedMessageIsFoundByItsKey() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    ActorPath other = mailbox(node, "/other/b");
    park(node, actor, "0-0", "odd ~/id");
    park(node, other, "0-0");
    for (String id : List.of("0-0", "odd ~/id")) {
      StoredParked found = await(node.store().parked(new ParkedKey(actor, id))).orElseThrow();
      assertThat(found.key()).isEqualTo(new ParkedKey(actor, id));
      assertThat(new String(found.bytes(), StandardCharsets.UTF_8))
          .isEqualTo("what " + id + " said");
    }
    assertThat(await(node.store().parked(new ParkedKey(actor, "1-0")))).isEmpty();
    assertThat(await(node.store().parked(new ParkedKey(ActorPath.of("/no/body"), "0-0"))))
        .isEmpty();
    assertThat(await(node.store().parkedKeys(Optional.empty())))
        .containsExactlyInAnyOrder(
            new ParkedKey(actor, "0-0"),
            new ParkedKey(actor, "odd ~/id"),
            new ParkedKey(other, "0-0"));
    assertThat(await(node.store().parkedKeys(Optional.of(ActorPath.of("/other")))))
        .containsExactly(new ParkedKey(other, "0-0"));
  }

  @Test
  default void aReplayMovesTheMessageOnce() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    park(node, actor, "0-0", "0-1");
    node.sends(TckUnit.replay(actor, "0-0", "x", 1));
    assertThat(mail(node, actor)).containsExactly("x#1");
    assertThat(parked(node)).containsExactly("0-1");
    node.refuses(Reason.STALE, 0, Set.of(), TckUnit.replay(actor, "0-0", "x", 2));
    assertThat(mail(node, actor)).containsExactly("x#1");
    node.sends(TckUnit.replay(actor, "0-1", "x", 3));
    assertThat(mail(node, actor)).containsExactly("x#1", "x#3");
    assertThat(parked(node)).isEmpty();
  }

  @Test
  default void aNodeThatIsNotTheOwnerMayReplayAndOnlyOneDoes() {
    TckNode owner = open("owner");
    TckNode other = open("other");
    ActorPath actor = mailbox(owner, "/space/a");
    park(owner, actor, "0-0");
    other.sends(TckUnit.replay(actor, "0-0", "other", 1));
    owner.refuses(Reason.STALE, 0, Set.of(), TckUnit.replay(actor, "0-0", "owner", 1));
    assertThat(mail(owner, actor)).containsExactly("other#1");
  }

  @Test
  default void aDiscardedMessageIsGone() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    park(node, actor, "0-0");
    node.sends(TckUnit.discard(actor, "0-0"));
    assertThat(parked(node)).isEmpty();
    assertThat(mail(node, actor)).isEmpty();
    node.refuses(Reason.STALE, 0, Set.of(), TckUnit.discard(actor, "0-0"));
    node.refuses(Reason.STALE, 0, Set.of(), TckUnit.replay(actor, "0-0", "x", 1));
  }

  @Test
  default void replaysAndDiscardsGoTogetherWithOthers() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    ActorPath peer = mailbox(node, "/space/b");
    park(node, actor, "0-0", "0-1", "0-2");
    Lease lease = node.claim(peer);
    node.refuses(
        Reason.STALE,
        2,
        Set.of(lease),
        TckUnit.turn(peer, 0, 1).sends(actor, 1).unit(),
        TckUnit.discard(actor, "0-0"),
        TckUnit.replay(actor, "0-0", "x", 1));
    assertThat(parked(node)).as("all or nothing").hasSize(3);
    CommitUnit both =
        new CommitUnit(
            Optional.empty(),
            TckUnit.tell(actor, "x", 2).outgoing(),
            Set.of(new ParkedKey(actor, "0-0"), new ParkedKey(actor, "0-1")));
    node.applies(
        lease,
        TckUnit.turn(peer, 0, 1).sends(actor, 1).unit(),
        both,
        TckUnit.discard(actor, "0-2"),
        TckUnit.tell(actor, "y", 1));
    assertThat(parked(node)).isEmpty();
    assertThat(mail(node, actor)).containsExactly("/space/b#1", "x#2", "y#1");
    assertThat(await(node.store().load(peer, lease)).record().orElseThrow().version()).isEqualTo(1);
  }

  @Test
  default void aReplayIntoAFullMailboxLeavesTheMessageParked() {
    freshCell(1);
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    park(node, actor, "0-0");
    node.sends(TckUnit.tell(actor, "x", 1));
    node.refuses(Reason.FULL, 0, Set.of(), TckUnit.replay(actor, "0-0", "x", 2));
    assertThat(parked(node)).containsExactly("0-0");
    node.sends(TckUnit.discard(actor, "0-0"));
  }
}
