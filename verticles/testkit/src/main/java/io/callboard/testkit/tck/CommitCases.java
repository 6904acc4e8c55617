package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Unknown;
import io.callboard.store.CommitUnit;
import io.callboard.store.Generation;
import io.callboard.store.JournalKey;
import io.callboard.store.Lease;
import io.callboard.store.Loaded;
import io.callboard.store.StoredParked;
import io.callboard.store.StoredSegment;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Cases of commits: all of their effects become durable atomically. */
interface CommitCases extends TckStage {
  private static List<String> entries(TckNode node, ActorPath actor, Lease lease) {
    List<JournalKey> keys = await(node.store().load(actor, lease)).journal();
    return await(node.store().entries(actor, keys)).stream()
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  default void aTurnIsOneWhole() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    ActorPath peer = mailbox(node, "/space/b");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    TckUnit turn =
        TckUnit.turn(actor, 0, 1)
            .upTo(1, 0, 0L)
            .journal("first")
            .parks("x#1", "poison")
            .sends(peer, 1, 2);
    node.applies(lease, turn.unit());
    Loaded loaded = await(node.store().load(actor, lease));
    assertThat(loaded.record().orElseThrow().version()).isEqualTo(1);
    assertThat(loaded.record().orElseThrow().record()).isEqualTo(turn.record());
    assertThat(loaded.journal()).containsExactly(TckUnit.key(1, "first"));
    assertThat(entries(node, actor, lease)).containsExactly("first");
    assertThat(loaded.mail().segments()).isEmpty();
    assertThat(node.segments(peer))
        .singleElement()
        .satisfies(
            segment ->
                assertThat(TckUnit.ids(segment)).containsExactly("/space/a#1", "/space/a#2"));
    assertThat(await(node.store().parked(10))).extracting(StoredParked::id).containsExactly("x#1");
  }

  /** Checks that a commit of which certainly nothing was sent is refused. */
  @Test
  default void aCommitThatCannotBeMadeReadyIsRefused() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    CommitUnit bad = broken(actor, () -> new IllegalStateException("it is broken"));
    CommitUnit good = TckUnit.tell(actor, "x", 1);
    assertThat(node.refuses(Reason.UNSENDABLE, -1, Set.of(), good, bad).detail())
        .contains("it is broken");
    node.sends(good);
    assertThat(node.segments(actor)).hasSize(1);
  }

  private static CommitUnit broken(ActorPath receiver, Supplier<RuntimeException> failure) {
    List<Envelope> mail =
        new AbstractList<>() {
          @Override
          public Envelope get(int index) {
            throw failure.get();
          }

          @Override
          public int size() {
            throw failure.get();
          }
        };
    return new CommitUnit(Optional.empty(), Map.of(receiver, mail));
  }

  /** Checks that a commit is sent again after a lack of memory, which is no fault of its units. */
  @Test
  default void aLackOfMemoryIsNoRefusal() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    CommitUnit bad =
        broken(
            actor,
            () -> {
              throw new OutOfMemoryError("says the test");
            });
    assertThat(node.commit(Set.of(), TckUnit.tell(actor, "x", 1), bad))
        .isInstanceOfSatisfying(
            Unknown.class,
            unknown -> assertThat(unknown.cause()).isInstanceOf(OutOfMemoryError.class));
    assertThat(node.renew().commitNumber()).as("nothing was sent").isZero();
    node.sends(TckUnit.tell(actor, "x", 1));
    assertThat(node.segments(actor)).hasSize(1);
  }

  @Test
  default void aSealedMailboxGoesOnInTheNextGeneration() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    node.sends(TckUnit.tell(actor, "x", 2));
    other.sends(TckUnit.tell(actor, "y", 1));
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).seals().unit());
    node.sends(TckUnit.tell(actor, "x", 3));
    other.sends(TckUnit.tell(actor, "y", 2));
    long second = Generation.sequence(1, 0);
    assertThat(await(node.store().load(actor, lease)).mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(1L, 2L, second, second + 1);
    assertThat(await(other.store().peek(actor, 10))).hasSize(4);
    assertThat(await(other.store().actor(actor)).orElseThrow().waiting()).isEqualTo(4);
    node.applies(
        lease, TckUnit.turn(actor, 1, 2).upTo(second + 1, 0, 1L, 2L, second).empties(0L).unit());
    Loaded loaded = await(node.store().load(actor, lease));
    assertThat(loaded.mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(second + 1);
    TckNode newcomer = open("newcomer");
    newcomer.sends(TckUnit.tell(actor, "z", 1));
    assertThat(await(node.store().read(actor, second + 1)).segments()).hasSize(2);
  }

  @Test
  default void aRefusedCommitChangesNothing() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    ActorPath peer = mailbox(node, "/space/b");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    node.refuses(
        Reason.STALE,
        1,
        Set.of(lease),
        TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).journal("j").parks("p", "p").sends(peer, 1).unit(),
        TckUnit.turn(actor, 7, 2).unit());
    Loaded loaded = await(node.store().load(actor, lease));
    assertThat(loaded.record().orElseThrow().version()).isZero();
    assertThat(loaded.journal()).isEmpty();
    assertThat(loaded.mail().segments()).hasSize(1);
    assertThat(await(node.store().parked(10))).isEmpty();
    assertThat(node.segments(peer)).isEmpty();
    assertThat(node.renew().commitNumber()).as("a refused commit has no number").isEqualTo(1);
    node.sends(TckUnit.tell(peer, "x", 1));
    assertThat(node.segments(peer)).extracting(StoredSegment::sequence).containsExactly(0L);
  }

  @Test
  default void versionsRiseByOneFromZero() {
    TckNode node = open("node");
    ActorPath actor = ActorPath.of("/space/spawned");
    Lease lease = node.claim(actor);
    assertThat(await(node.store().load(actor, lease)).record()).isEmpty();
    node.applies(lease, TckUnit.turn(actor, -1, 1).unit());
    for (int version = 0; version < 5; version++) {
      assertThat(await(node.store().load(actor, lease)).record().orElseThrow().version())
          .isEqualTo(version);
      node.applies(lease, TckUnit.turn(actor, version, version + 2).unit());
    }
  }

  @Test
  default void theMessagesOfACommitToOneMailboxAreOneSegment() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    ActorPath peer = mailbox(node, "/space/b");
    Lease lease = node.claim(actor);
    node.applies(
        lease,
        TckUnit.turn(actor, 0, 1).sends(peer, 1, 2).unit(),
        TckUnit.tell(peer, "x", 1),
        TckUnit.turn(actor, 1, 2).sends(peer, 3).unit());
    assertThat(node.segments(peer))
        .singleElement()
        .satisfies(
            segment ->
                assertThat(TckUnit.ids(segment))
                    .containsExactly("/space/a#1", "/space/a#2", "x#1", "/space/a#3"));
  }

  @Test
  default void sequencesHaveNoGapsAndKeepEachSendersOrder() throws Exception {
    TckNode first = open("first");
    TckNode second = open("second");
    ActorPath actor = mailbox(first, "/space/a");
    int each = 40;
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(() -> sendMany(second, actor, "second", each));
    sendMany(first, actor, "first", each);
    other.get(20, java.util.concurrent.TimeUnit.SECONDS);
    List<StoredSegment> segments = first.segments(actor);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < segments.size(); i++) {
      assertThat(segments.get(i).sequence()).isEqualTo(i);
      ids.addAll(TckUnit.ids(segments.get(i)));
    }
    for (String sender : List.of("first", "second")) {
      List<String> expected = new ArrayList<>();
      for (int number = 1; number <= each; number++) {
        expected.add(sender + "#" + number);
      }
      assertThat(ids.stream().filter(id -> id.startsWith(sender))).isEqualTo(expected);
    }
  }

  private static void sendMany(TckNode node, ActorPath to, String from, int count) {
    for (int number = 1; number <= count; number++) {
      CommitOutcome outcome = node.commit(Set.of(), TckUnit.tell(to, from, number));
      assertThat(outcome).isInstanceOf(CommitOutcome.Applied.class);
      if (number % 7 == 0) { // a refusal in between must leave no gap
        node.refuses(
            Reason.NO_MAILBOX,
            1,
            Set.of(),
            TckUnit.tell(to, from, 0),
            TckUnit.tell(ActorPath.of("/space/nobody"), from, 0));
      }
    }
  }

  @Test
  default void sequencesGoOnWhenTheMailboxWasEmptied() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    node.sends(TckUnit.tell(actor, "x", 2));
    assertThat(await(node.store().load(actor, lease)).mail().segments()).hasSize(2);
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(2, 0, 0L, 1L).unit());
    assertThat(await(node.store().load(actor, lease)).mail().segments()).isEmpty();
    node.sends(TckUnit.tell(actor, "x", 3));
    assertThat(await(node.store().load(actor, lease)).mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(2L);
  }

  @Test
  default void aSnapshotTrimsTheJournal() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.applies(lease, TckUnit.turn(actor, 0, 1).journal("one").unit());
    node.applies(lease, TckUnit.turn(actor, 1, 2).journal("two").unit());
    assertThat(entries(node, actor, lease)).containsExactly("one", "two");
    TckUnit snapshot =
        TckUnit.turn(actor, 2, 3)
            .snapshot(
                JsonNodeFactory.instance.textNode("state"),
                TckUnit.key(1, "one"),
                TckUnit.key(2, "two"));
    node.applies(lease, snapshot.unit());
    Loaded after = await(node.store().load(actor, lease));
    assertThat(after.journal()).isEmpty();
    assertThat(after.record().orElseThrow().record()).isEqualTo(snapshot.record());
    node.applies(lease, TckUnit.turn(actor, 3, 4).journal("four").unit());
    assertThat(entries(node, actor, lease)).containsExactly("four");
  }

  @Test
  default void journalEntriesComeOldestFirst() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    for (int turn = 1; turn <= 12; turn++) {
      node.applies(lease, TckUnit.turn(actor, turn - 1, turn).journal("turn " + turn).unit());
    }
    List<String> entries = entries(node, actor, lease);
    assertThat(entries).hasSize(12).startsWith("turn 1", "turn 2").endsWith("turn 11", "turn 12");
  }

  @Test
  default void aTurnMayWriteToItsOwnMailbox() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    assertThat(await(node.store().load(actor, lease)).mail().segments()).hasSize(1);
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).sends(actor, 1).unit());
    assertThat(await(node.store().load(actor, lease)).mail().segments())
        .extracting(StoredSegment::sequence)
        .containsExactly(1L);
  }
}
