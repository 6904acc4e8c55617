package io.callboard.testkit.tck;

import static io.callboard.testkit.tck.TckNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.store.ActorRecord;
import io.callboard.store.BlobKey;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitUnit;
import io.callboard.store.Lease;
import io.callboard.store.Limits;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.callboard.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Cases of journal entries, snapshots in the blob log, and the deletion of actors. */
interface JournalCases extends TckStage {
  private static StoredRecord record(TckNode node, ActorPath actor, Lease lease) {
    return await(node.store().load(actor, lease)).record().orElseThrow();
  }

  @Test
  default void entriesAreReadAsAskedFor() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    for (int turn = 1; turn <= 5; turn++) {
      node.applies(lease, TckUnit.turn(actor, turn - 1, turn).journal("entry " + turn).unit());
    }
    List<byte[]> some =
        await(
            node.store()
                .entries(actor, List.of(TckUnit.key(2, "entry 2"), TckUnit.key(4, "entry 4"))));
    assertThat(some.stream().map(each -> new String(each, StandardCharsets.UTF_8)))
        .containsExactly("entry 2", "entry 4");
    assertThat(await(node.store().entries(actor, List.of()))).isEmpty();
    fails(
        Kind.CONFLICT,
        node.store().entries(actor, List.of(TckUnit.key(2, "entry 2"), TckUnit.key(9, "entry 9"))));
  }

  @Test
  default void aJournalMayBeAsLongAsItsLimit() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    List<CommitUnit> turns = new ArrayList<>();
    for (int turn = 1; turn <= Limits.JOURNAL_ENTRIES; turn++) {
      turns.add(TckUnit.turn(actor, turn - 1, turn).journal("e").unit());
      if (turn == 1 || turns.size() == 100 || turn == Limits.JOURNAL_ENTRIES) {
        node.applies(lease, turns.toArray(new CommitUnit[0]));
        turns.clear();
      }
    }
    assertThat(await(node.store().load(actor, lease)).journal()).hasSize(Limits.JOURNAL_ENTRIES);
  }

  @Test
  default void aSnapshotInTheBlobLogIsNamedByItsCommitAndGoesWithAnother() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    byte[] state = "a state ".repeat(100_000).getBytes(StandardCharsets.UTF_8);
    BlobKey first = new BlobKey(actor, await(node.store().blobs().write(actor, state)));
    TckUnit named = TckUnit.turn(actor, 0, 1).snapshot(first);
    node.applies(lease, named.unit());
    assertThat(record(node, actor, lease).record()).isEqualTo(named.record());
    fails(Kind.CONFLICT, node.store().blobs().forsake(first));
    assertThat(Arrays.equals(await(node.store().blobs().read(first)), state)).isTrue();
    BlobKey second = new BlobKey(actor, await(node.store().blobs().write(actor, state)));
    node.applies(lease, TckUnit.turn(actor, 1, 2).snapshot(second).removes(first).unit());
    assertThat(await(node.store().blobs().isWhole(first))).isFalse();
    assertThat(await(node.store().blobs().isWhole(second))).isTrue();
  }

  @Test
  default void aSnapshotThatIsNotThereIsRefused() {
    TckNode node = open("node");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    BlobKey gone = new BlobKey(actor, await(node.store().blobs().write(actor, new byte[10])));
    await(node.store().blobs().forsake(gone));
    node.refuses(Reason.STALE, 0, Set.of(lease), TckUnit.turn(actor, 0, 1).snapshot(gone).unit());
  }

  @Test
  default void anActorOfWhichNothingIsLeftIsRemovedAndMadeAnew() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath actor = mailbox(node, "/space/a");
    Lease lease = node.claim(actor);
    node.sends(TckUnit.tell(actor, "x", 1));
    assertThat(await(node.store().load(actor, lease)).mail().segments()).hasSize(1);
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).journal("one").unit());
    node.applies(lease, TckUnit.turn(actor, 1, 2).upTo(1, 0).trims(TckUnit.key(1, "one")).unit());
    await(node.store().remove(actor, lease, record(node, actor, lease)));
    assertThat(await(other.store().actor(actor))).isEmpty();
    assertThat(await(node.store().load(actor, lease)).record()).isEmpty();
    other.refuses(Reason.NO_MAILBOX, 0, Set.of(), TckUnit.tell(actor, "y", 1));
    node.refuses(Reason.NO_MAILBOX, 0, Set.of(), TckUnit.tell(actor, "y", 1));
    ActorPath again = mailbox(node, "/space/a");
    other.sends(TckUnit.tell(again, "y", 1));
    assertThat(await(node.store().load(actor, lease)).mail().segments())
        .singleElement()
        .satisfies(
            segment -> {
              assertThat(segment.sequence()).isZero();
              assertThat(TckUnit.ids(segment)).containsExactly("y#1");
            });
    node.applies(lease, TckUnit.turn(actor, 0, 1).upTo(1, 0, 0L).journal("anew").unit());
  }

  @Test
  default void anActorOfWhichSomethingIsLeftStays() {
    TckNode node = open("node");
    TckNode other = open("other");
    ActorPath mail = mailbox(node, "/space/mail");
    ActorPath entry = mailbox(node, "/space/entry");
    ActorPath parked = mailbox(node, "/space/parked");
    ActorPath changed = mailbox(node, "/space/changed");
    Lease lease = node.claim(mail);
    node.sends(TckUnit.tell(mail, "x", 1));
    fails(Kind.CONFLICT, node.store().remove(mail, lease, record(node, mail, lease)));
    Lease entries = node.claim(entry);
    node.applies(entries, TckUnit.turn(entry, 0, 1).journal("one").unit());
    fails(Kind.CONFLICT, node.store().remove(entry, entries, record(node, entry, entries)));
    Lease parks = node.claim(parked);
    node.applies(parks, TckUnit.turn(parked, 0, 1).parks("0-0", "p").unit());
    fails(Kind.CONFLICT, node.store().remove(parked, parks, record(node, parked, parks)));
    Lease changes = node.claim(changed);
    StoredRecord before = record(node, changed, changes);
    node.applies(changes, TckUnit.turn(changed, 0, 1).unit());
    fails(Kind.CONFLICT, node.store().remove(changed, changes, before));
    StoredRecord now = record(node, changed, changes);
    Lease taken = other.claim(changed);
    fails(Kind.CONFLICT, node.store().remove(changed, changes, now));
    await(other.store().remove(changed, taken, now));
    for (ActorPath each : List.of(mail, entry, parked)) {
      assertThat(await(node.store().actor(each))).isPresent();
    }
  }

  /** Returns actors of one partition, each with a record and an empty mailbox. */
  private List<ActorPath> ofOnePartition(TckNode node, int count) {
    Partition partition = node.partition(ActorPath.of("/space/a"));
    List<ActorPath> actors = new ArrayList<>();
    for (int i = 0; actors.size() < count; i++) {
      ActorPath next = ActorPath.of("/space/many" + i);
      if (node.partition(next).equals(partition)) {
        actors.add(mailbox(node, next.toString()));
      }
    }
    return actors;
  }

  private static Map<ActorPath, StoredRecord> records(
      TckNode node, List<ActorPath> actors, Lease lease) {
    Map<ActorPath, StoredRecord> records = new LinkedHashMap<>();
    actors.forEach(actor -> records.put(actor, record(node, actor, lease)));
    return records;
  }

  @Test
  default void manyActorsOfAPartitionAreRemovedTogether() {
    TckNode node = open("node");
    List<ActorPath> actors = ofOnePartition(node, Limits.REMOVED_ACTORS);
    Lease lease = node.claim(actors.get(0));
    ActorPath former = actors.get(1); // has parents of entries
    node.applies(lease, TckUnit.turn(former, 0, 1).journal("one").unit());
    node.applies(lease, TckUnit.turn(former, 1, 2).trims(TckUnit.key(1, "one")).unit());
    assertThat(await(node.store().remove(lease, records(node, actors, lease)))).isEmpty();
    for (ActorPath actor : actors) {
      assertThat(await(node.store().actor(actor))).as(actor.toString()).isEmpty();
    }
    ActorPath again = mailbox(node, former.toString());
    node.sends(TckUnit.tell(again, "y", 1));
    node.applies(lease, TckUnit.turn(again, 0, 1).upTo(1, 0, 0L).journal("anew").unit());
    assertThat(await(node.store().remove(lease, Map.of()))).isEmpty();
    Map<ActorPath, StoredRecord> tooMany = new HashMap<>();
    for (int i = 0; i <= Limits.REMOVED_ACTORS; i++) {
      tooMany.put(ActorPath.of("/space/x" + i), new StoredRecord(ActorRecord.EMPTY, 0));
    }
    assertThatThrownBy(() -> await(node.store().remove(lease, tooMany)))
        .hasStackTraceContaining("65 actors are too many at a time: give 64 at most");
  }

  @Test
  default void anActorThatStaysKeepsNoOtherFromBeingRemoved() {
    TckNode node = open("node");
    TckNode other = open("other");
    List<ActorPath> actors = ofOnePartition(node, 8);
    Lease lease = node.claim(actors.get(0));
    ActorPath mail = actors.get(1);
    ActorPath entry = actors.get(2);
    ActorPath parked = actors.get(4);
    ActorPath changed = actors.get(6);
    node.sends(TckUnit.tell(mail, "x", 1));
    node.applies(lease, TckUnit.turn(entry, 0, 1).journal("one").unit());
    node.applies(lease, TckUnit.turn(parked, 0, 1).parks("0-0", "p").unit());
    Map<ActorPath, StoredRecord> records = records(node, actors, lease);
    node.applies(lease, TckUnit.turn(changed, 0, 1).unit());
    Map<ActorPath, Throwable> stay = await(node.store().remove(lease, records));
    assertThat(stay).containsOnlyKeys(mail, entry, parked, changed);
    assertThat(stay.values())
        .allSatisfy(
            cause ->
                assertThat(cause)
                    .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.CONFLICT)));
    for (ActorPath actor : actors) {
      assertThat(await(other.store().actor(actor)).isPresent())
          .as(actor.toString())
          .isEqualTo(stay.containsKey(actor));
    }
  }

  @Test
  default void noneIsRemovedUnderALeaseThatIsNotCurrent() {
    TckNode node = open("node");
    TckNode other = open("other");
    List<ActorPath> actors = ofOnePartition(node, 3);
    Lease lease = node.claim(actors.get(0));
    Map<ActorPath, StoredRecord> records = records(node, actors, lease);
    Lease taken = other.claim(actors.get(0));
    fails(Kind.CONFLICT, node.store().remove(lease, records));
    for (ActorPath actor : actors) {
      assertThat(await(node.store().actor(actor))).as(actor.toString()).isPresent();
    }
    assertThat(await(other.store().remove(taken, records))).isEmpty();
    Map<ActorPath, Throwable> gone = await(other.store().remove(taken, records));
    assertThat(gone).as("once more").containsOnlyKeys(actors);
  }
}
