package io.callboard.internal.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.WrittenEvent;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.ActorRecord;
import io.callboard.store.BlobKey;
import io.callboard.store.JournalKey;
import io.callboard.store.Limits;
import io.callboard.store.StoredSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActorJournalTest {
  private static final ActorPath ACTOR = ActorPath.of("/space/a");
  private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

  private long turn;

  private static List<WrittenEvent> events(int count) {
    WrittenEvent event = new WrittenEvent(new MessageType("done", 1), "{\"a\":1}".getBytes());
    return IntStream.range(0, count).mapToObj(i -> event).toList();
  }

  private ActorJournal journal(SnapshotPolicy policy) {
    ActorJournal journal = new ActorJournal(ACTOR, policy);
    journal.loaded(ActorRecord.EMPTY, List.of());
    journal.replayed(0, List.of(), List.of(), false);
    return journal;
  }

  private ActorJournal.Pending commit(ActorJournal journal, int events) {
    turn++;
    ActorJournal.Pending pending = journal.change(turn, events(events), NOW);
    journal.committed(new ActorRecord(turn, 1, 0, 0, 0, pending.snapshots()));
    return pending;
  }

  private StoredSnapshot snapshot(ActorJournal journal) {
    journal.making(NOW);
    StoredSnapshot made =
        new StoredSnapshot(
            turn,
            journal.lastEvent(),
            NOW,
            new MessageType("state", 1),
            null,
            BlobRef.of("b" + turn, new byte[] {1}, 1));
    journal.made(made);
    return made;
  }

  @Test
  void aSnapshotIsDueAfterAsManyEvents() {
    ActorJournal journal = journal(SnapshotPolicy.every(10));
    commit(journal, 9);
    assertThat(journal.isDue(NOW)).isFalse();
    commit(journal, 1);
    assertThat(journal.isDue(NOW)).isTrue();
    journal.making(NOW);
    commit(journal, 10);
    assertThat(journal.isDue(NOW)).as("one at a time").isFalse();
    journal.notMade();
    assertThat(journal.isDue(NOW)).as("after a failure").isTrue();
  }

  @Test
  void aSnapshotIsDueAfterAsManyBytesOrSomeTimeOrByWish() {
    ActorJournal bytes = journal(SnapshotPolicy.never().orBytes(300));
    commit(bytes, 1);
    assertThat(bytes.isDue(NOW)).isFalse();
    commit(bytes, 20);
    assertThat(bytes.isDue(NOW)).isTrue();
    ActorJournal time = journal(SnapshotPolicy.never().orAfter(Duration.ofHours(1)));
    commit(time, 1);
    assertThat(time.isDue(NOW.plusSeconds(3_599))).isFalse();
    assertThat(time.isDue(NOW.plusSeconds(3_600))).isTrue();
    ActorJournal wish = journal(SnapshotPolicy.never());
    commit(wish, 1_000);
    assertThat(wish.isDue(NOW)).isFalse();
    wish.wish();
    assertThat(wish.isDue(NOW)).isTrue();
  }

  @Test
  void theNextUnitNamesTheSnapshotAndOldOnesGo() {
    ActorJournal journal = journal(SnapshotPolicy.every(1).keep(2));
    commit(journal, 1);
    StoredSnapshot first = snapshot(journal);
    assertThat(journal.hasChores()).isTrue();
    ActorJournal.Pending names = commit(journal, 1);
    assertThat(names.snapshots()).containsExactly(first);
    assertThat(names.change().snapshot()).isEqualTo(first.blob());
    assertThat(names.change().trim()).as("the events before stand for it").isEmpty();
    assertThat(journal.hasChores()).isFalse();
    StoredSnapshot second = snapshot(journal);
    ActorJournal.Pending both = commit(journal, 0);
    assertThat(both.snapshots()).containsExactly(second, first);
    assertThat(both.change().entry()).isNull();
    assertThat(both.change().trim()).extracting(JournalKey::turn).containsExactly(1L);
    commit(journal, 1);
    StoredSnapshot third = snapshot(journal);
    ActorJournal.Pending next = commit(journal, 0);
    assertThat(next.snapshots()).containsExactly(third, second);
    assertThat(next.gone()).containsExactly(new BlobKey(ACTOR, first.blob()));
    assertThat(next.change().trim()).extracting(JournalKey::turn).containsExactly(2L);
  }

  @Test
  void aSnapshotMadeWhileAUnitIsUnderWayIsNamedByTheNext() {
    ActorJournal journal = journal(SnapshotPolicy.every(1));
    commit(journal, 1);
    journal.making(NOW);
    turn++;
    ActorJournal.Pending underWay = journal.change(turn, events(1), NOW);
    StoredSnapshot made =
        new StoredSnapshot(
            1, 1, NOW, new MessageType("state", 1), JsonNodeFactory.instance.objectNode(), null);
    journal.made(made);
    journal.committed(new ActorRecord(turn, 1, 0, 0, 0, underWay.snapshots()));
    assertThat(underWay.snapshots()).isEmpty();
    assertThat(journal.hasChores()).isTrue();
    assertThat(commit(journal, 0).snapshots()).containsExactly(made);
  }

  @Test
  void manyEntriesGoInSeveralUnits() {
    ActorJournal journal = journal(SnapshotPolicy.never().keep(1));
    for (int i = 0; i < 2 * ActorJournal.TRIMS + 5; i++) {
      commit(journal, 1);
    }
    snapshot(journal);
    assertThat(commit(journal, 0).change().trim()).hasSize(ActorJournal.TRIMS);
    assertThat(journal.hasChores()).isTrue();
    assertThat(commit(journal, 0).change().trim()).hasSize(ActorJournal.TRIMS);
    assertThat(commit(journal, 0).change().trim()).hasSize(5);
    assertThat(journal.hasChores()).isFalse();
  }

  @Test
  void theJournalHasALimitThatIsTold() {
    ActorJournal journal = journal(SnapshotPolicy.never());
    for (int i = 0; i < Limits.JOURNAL_ENTRIES; i++) {
      commit(journal, 1);
    }
    assertThatThrownBy(() -> commit(journal, 1))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.JOURNAL_FULL))
        .hasMessageContaining("the journal of /space/a is at its limit of 10000 entries");
    commit(journal, 0);
    snapshot(journal);
    commit(journal, 0);
    snapshot(journal);
    commit(journal, 0);
    commit(journal, 1);
  }

  @Test
  void aPolicyThatKeepsMoreThanAJournalHoldsIsHelped() {
    for (SnapshotPolicy policy :
        List.of(SnapshotPolicy.every(6_000), SnapshotPolicy.every(300).keep(100))) {
      turn = 0;
      ActorJournal journal = journal(policy);
      for (int i = 0; i < 3 * Limits.JOURNAL_ENTRIES; i++) {
        commit(journal, 1);
        if (journal.isDue(NOW)) {
          snapshot(journal);
        }
      }
    }
  }

  @Test
  void anUnreadableSnapshotIsReplacedAtOnceAndGoes() {
    ActorJournal before = journal(SnapshotPolicy.every(5).keep(3));
    List<StoredSnapshot> kept = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      commit(before, 5);
      kept.add(0, snapshot(before));
      commit(before, 0);
    }
    ActorJournal journal = new ActorJournal(ACTOR, SnapshotPolicy.every(5).keep(3));
    journal.loaded(new ActorRecord(turn, 1, 0, 0, 0, kept), List.of(new JournalKey(3, 5, 50)));
    journal.replayed(10, List.of(kept.get(0)), List.of(), false);
    assertThat(journal.isDue(NOW)).isTrue();
    StoredSnapshot next = snapshot(journal);
    ActorJournal.Pending pending = commit(journal, 0);
    assertThat(pending.snapshots()).containsExactly(next, kept.get(1));
    assertThat(pending.gone()).as("what is not whole would refuse the commit").isEmpty();
  }

  @Test
  void eventsOfNewerCodeAreLeftToItUntilTheJournalIsCrowded() {
    ActorJournal journal = new ActorJournal(ACTOR, SnapshotPolicy.every(5));
    journal.loaded(ActorRecord.EMPTY, List.of());
    journal.replayed(0, List.of(), List.of(), true);
    for (int i = 1; i < ActorJournal.CROWDED; i++) {
      assertThat(commit(journal, 1).change().trim()).isEmpty();
      journal.wish();
      assertThat(journal.isDue(NOW)).isFalse();
    }
    var unused = commit(journal, 1);
    assertThat(journal.isDue(NOW)).isTrue();
  }

  /** Whatever happens when, every kept snapshot has its events, and one of them is there. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noEventGoesThatALifeMayBeginWith(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SnapshotPolicy policy = SnapshotPolicy.every(1 + random.nextInt(20)).keep(1 + (int) seed % 3);
    ActorJournal journal = journal(policy);
    List<JournalKey> stored = new ArrayList<>();
    Set<BlobKey> blobs = new HashSet<>();
    List<StoredSnapshot> snapshots = List.of();
    long events = 0;
    boolean making = false;
    for (int i = 0; i < 3_000; i++) {
      int what = random.nextInt(10);
      if (what == 0) { // the node died
        making = false;
        journal = new ActorJournal(ACTOR, policy);
        journal.loaded(new ActorRecord(turn, 1, 0, 0, 0, snapshots), stored);
        journal.replayed(events, List.of(), List.of(), false);
      } else if (what < 3 && making) {
        making = false;
        if (random.nextInt(3) == 0) {
          journal.notMade();
        } else {
          blobs.add(new BlobKey(ACTOR, snapshot(journal).blob()));
        }
      } else {
        int count = random.nextInt(4);
        ActorJournal.Pending done = commit(journal, count);
        stored.removeAll(done.change().trim());
        blobs.removeAll(done.gone());
        if (done.change().entry() != null) {
          stored.add(done.change().key(turn, done.change().entry()));
        }
        snapshots = done.snapshots();
        events += count;
        if (journal.isDue(NOW)) {
          journal.making(NOW);
          making = true;
        }
      }
      assertThat(journal.lastEvent()).isEqualTo(events);
      for (StoredSnapshot each : snapshots) {
        assertThat(blobs).contains(new BlobKey(ACTOR, each.blob()));
        isWhole(each.turn(), each.event(), stored, events);
      }
      if (snapshots.size() < policy.keep()) {
        isWhole(0, 0, stored, events);
      }
      assertThat(snapshots.size()).isLessThanOrEqualTo(policy.keep());
    }
    assertThat(snapshots).hasSize(policy.keep());
    assertThat(stored.size()).isLessThan(200);
  }

  private static void isWhole(long turn, long from, List<JournalKey> stored, long events) {
    long after = stored.stream().filter(k -> k.turn() > turn).mapToLong(JournalKey::events).sum();
    assertThat(from + after).isEqualTo(events);
  }
}
