package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.MailboxHeader;
import io.callboard.store.OutboxChange;
import io.callboard.store.StoredOutbox;
import io.callboard.store.WhenFull;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Cases of outboxes, and of the headers of mailboxes. */
interface OutboxCases extends TckStage {
  private static byte[] entry(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static OutboxChange makes(long number, String text) {
    return new OutboxChange(Map.of(number, entry(text)), Map.of(), List.of());
  }

  private List<String> outbox(TckNode node, ActorPath actor, Lease lease) {
    return await(node.store().load(actor, lease)).outbox().stream()
        .map(stored -> stored.number() + new String(stored.bytes(), StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  default void entriesOfAnOutboxComeAndGoWithTheCommitsOfTheirActor() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    ActorPath peer = mailbox(node, "/space/b");
    Lease lease = node.claim(actor);
    node.applies(lease, TckUnit.turn(actor, 0, 1).outbox(makes(9, "x")).unit());
    node.applies(lease, TckUnit.turn(actor, 1, 2).outbox(makes(10, "y")).unit());
    assertThat(outbox(node, actor, lease)).containsExactly("9x", "10y");
    long most = 999_999_999_999_999_999L;
    node.applies(lease, TckUnit.turn(actor, 2, 3).outbox(makes(most, "t")).unit());
    assertThat(outbox(node, actor, lease)).containsExactly("9x", "10y", most + "t");
    OutboxChange over = new OutboxChange(Map.of(), Map.of(), List.of(most));
    node.applies(lease, TckUnit.turn(actor, 3, 4).outbox(over).unit());
    assertThat(await(node.store().withMail(lease.partition())))
        .as("whom its outbox wakes")
        .contains(actor);
    OutboxChange relayed = new OutboxChange(Map.of(), Map.of(10L, entry("z")), List.of(9L));
    node.applies(lease, TckUnit.turn(actor, 4, 5).outbox(relayed).sends(peer, 1).unit());
    assertThat(outbox(node, actor, lease)).containsExactly("10z");
    assertThat(node.segments(peer)).hasSize(1);
  }

  @Test
  default void anEntryIsMadeOnceAndGoesOnce() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    ActorPath peer = mailbox(node, "/space/b");
    Lease lease = node.claim(actor);
    node.applies(lease, TckUnit.turn(actor, 0, 1).outbox(makes(1, "x")).unit());
    node.refuses(
        Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, 1, 2).outbox(makes(1, "y")).unit());
    OutboxChange gone = new OutboxChange(Map.of(), Map.of(), List.of(1L));
    node.applies(lease, TckUnit.turn(actor, 1, 2).outbox(gone).sends(peer, 1).unit());
    node.refuses(
        Reason.STALE,
        0,
        Set.of(lease),
        TckUnit.turn(actor, 2, 3).outbox(gone).sends(peer, 2).unit());
    assertThat(outbox(node, actor, lease)).isEmpty();
    assertThat(node.segments(peer)).hasSize(1);
  }

  @Test
  default void sendersLearnWhatTheReceiverWishesWhenItIsFull() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    other.sends(TckUnit.tell(actor, "x", 1));
    MailboxHeader header = new MailboxHeader(true, 7, WhenFull.PARK);
    node.applies(lease, TckUnit.turn(actor, 0, 1).header(header).unit());
    assertThat(await(node.store().load(actor, lease)).header()).isEqualTo(header);
    CommitUnit late = TckUnit.tell(actor, "x", 2);
    assertThat(other.refuses(Reason.FULL, 0, Set.of(), late).whenFull()).isEqualTo(WhenFull.PARK);
    assertThat(node.refuses(Reason.FULL, 0, Set.of(), late).whenFull()).isEqualTo(WhenFull.PARK);
  }

  @Test
  default void messagesOfAnActorToItselfAreNeverRefusedAsTooMuch() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    MailboxHeader full = MailboxHeader.NEW.with(true);
    node.applies(lease, TckUnit.turn(actor, 0, 1).header(full).unit());
    node.applies(lease, TckUnit.turn(actor, 1, 2).sends(actor, 1).unit());
    node.refuses(
        Reason.FULL,
        1,
        Set.of(lease),
        TckUnit.turn(actor, 2, 3).sends(actor, 2).unit(),
        TckUnit.tell(actor, "x", 1));
    assertThat(node.segments(actor)).hasSize(1);
  }

  @Test
  default void anotherLimitHoldsAtOnceForWhoSetIt() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    node.applies(lease, TckUnit.turn(actor, 0, 1).header(MailboxHeader.of(3)).unit());
    node.sends(TckUnit.tell(actor, "x", 2));
    node.sends(TckUnit.tell(actor, "x", 3));
    node.refuses(Reason.FULL, 0, Set.of(), TckUnit.tell(actor, "x", 4));
  }

  @Test
  default void aLimitCountsMessages() {
    freshCell(5);
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    node.sends(TckUnit.tell(actor, "x", 1, 2, 3, 4, 5));
    other.refuses(Reason.FULL, 0, Set.of(), TckUnit.tell(actor, "y", 1));
    node.refuses(Reason.FULL, 0, Set.of(), TckUnit.tell(actor, "x", 6));
    Lease lease = node.claim(actor);
    Loaded loaded = await(node.store().load(actor, lease));
    assertThat(loaded.mail().messages()).isEqualTo(5);
    assertThat(loaded.mail().segments()).hasSize(1);
    assertThat(loaded.outbox()).extracting(StoredOutbox::number).isEmpty();
    node.applies(
        lease,
        TckUnit.turn(actor, 0, 1)
            .upTo(1, 0, 0L)
            .header(new MailboxHeader(false, 50, WhenFull.WAIT))
            .unit());
    other.sends(TckUnit.tell(actor, "y", 1, 2, 3, 4, 5, 6));
    assertThat(await(node.store().read(actor, 1)).messages()).isEqualTo(6);
  }
}
