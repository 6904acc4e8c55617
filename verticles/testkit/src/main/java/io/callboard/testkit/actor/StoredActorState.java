package io.callboard.testkit.actor;

import io.callboard.DurableActor;
import io.callboard.PersistentActor;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Journal;
import io.callboard.codecs.JournalReader;
import io.callboard.codecs.MessageType;
import io.callboard.store.ActorRecord;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome;
import io.callboard.store.CommitUnit;
import io.callboard.store.CommitUnit.Write;
import io.callboard.store.JournalChange;
import io.callboard.store.Lease;
import io.callboard.store.NodeIdentity;
import io.callboard.store.Session;
import io.callboard.store.StoredRecord;
import io.callboard.store.StoredSnapshot;
import io.callboard.store.memory.MemoryCell;
import io.callboard.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Stored data of a tested actor before its test begins, as if an earlier node had committed it.
 *
 * @param snapshots its state; empty if it has none other than that of its events
 * @param entries entries of its journal
 */
record StoredActorState(List<StoredSnapshot> snapshots, List<String> entries) {
  private static final String NODE = "before";

  /** Returns the data for a state. */
  static StoredActorState of(DurableActor<?, ?> actor, Object state) {
    int fold =
        actor instanceof PersistentActor<?, ?, ?> persistent
            ? persistent.foldVersion()
            : StoredSnapshot.FIRST_FOLD;
    StoredSnapshot snapshot =
        new StoredSnapshot(
            0,
            0,
            Instant.EPOCH,
            MessageType.of(state.getClass()),
            RoundTrip.checkStored("a state", actor.stateType(), state),
            null,
            fold);
    return new StoredActorState(List.of(snapshot), List.of());
  }

  /** Returns the data for events without a snapshot. */
  static StoredActorState of(List<String> entries) {
    return new StoredActorState(List.of(), entries);
  }

  void write(MemoryCell cell, ActorPath actor) {
    MemoryStore store = new MemoryStore(cell);
    Session session = store.open(new NodeIdentity(NODE, NODE, NODE)).await();
    Lease lease = store.claim(actor.partition(session.partitions()), Optional.empty()).await();
    Commit commit =
        new Commit(
            session.incarnation(), session.commitNumber() + 1, Set.of(lease), units(actor, lease));
    CommitOutcome outcome = store.commit(commit).await();
    if (!(outcome instanceof CommitOutcome.Applied)) {
      throw new AssertionError(
          "the initial state of %s cannot be stored: %s".formatted(actor, outcome));
    }
    store.release(lease).await();
    store.close().await();
  }

  private List<CommitUnit> units(ActorPath actor, Lease lease) {
    List<CommitUnit> units = new ArrayList<>();
    int version = Write.NEW;
    if (!snapshots.isEmpty()) {
      units.add(unit(actor, version, record(0, lease, snapshots), JournalChange.NONE));
      version = StoredRecord.following(version);
    }
    for (String text : entries) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      JournalReader entry = Journal.read("an entry", bytes, 1);
      JournalChange change = JournalChange.of(bytes, entry.count());
      units.add(unit(actor, version, record(entry.turn(), lease, List.of()), change));
      version = StoredRecord.following(version);
    }
    return units;
  }

  private static ActorRecord record(long turn, Lease lease, List<StoredSnapshot> snapshots) {
    return new ActorRecord(turn, lease.epoch(), 0, 0, 0, snapshots);
  }

  private static CommitUnit unit(
      ActorPath actor, int version, ActorRecord record, JournalChange journal) {
    Write write = new Write(actor, version, record, List.of(), journal, Map.of(), null);
    return new CommitUnit(Optional.of(write), Map.of());
  }
}
