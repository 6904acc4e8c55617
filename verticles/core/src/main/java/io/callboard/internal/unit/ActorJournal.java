package io.callboard.internal.unit;

import io.callboard.CallboardException;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.BlobRef;
import io.callboard.codecs.Journal;
import io.callboard.codecs.WrittenEvent;
import io.callboard.journal.SnapshotPolicy;
import io.callboard.store.ActorRecord;
import io.callboard.store.BlobKey;
import io.callboard.store.JournalChange;
import io.callboard.store.JournalKey;
import io.callboard.store.Limits;
import io.callboard.store.StoredSnapshot;
import io.callboard.time.Machine;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events and snapshots of one persistent actor, as its loop knows them: which entries there
 * are, when a snapshot is due, and what can go. A machine without I/O; not thread-safe.
 *
 * <p>A snapshot is due after a commit; it is made elsewhere, and the next commit writes into the
 * record that it is there. What it makes superfluous goes with that commit and those that follow.
 */
@Machine
public final class ActorJournal {
  /** Entries that go with one commit. */
  static final int TRIMS = 200;

  /** Entries up to which events of newer code are left to it. */
  public static final int CROWDED = Limits.JOURNAL_ENTRIES / 2;

  private final ActorPath path;
  private final SnapshotPolicy policy;
  private final Deque<JournalKey> entries = new ArrayDeque<>(1);
  private final List<StoredSnapshot> unreadable = new ArrayList<>(0);
  private final List<StoredSnapshot> retired = new ArrayList<>(0);
  private List<StoredSnapshot> snapshots = List.of();
  private long begun;
  private long lastTurn;
  private long lastEvent;
  private long countedFrom;
  private long bytes;
  private long entriesSince;
  private Instant since = Instant.EPOCH;
  private @Nullable WrittenEvent correction;
  private Runnable corrected = () -> {};
  private boolean postponed;
  private boolean wished;
  private boolean isMaking;
  private @Nullable StoredSnapshot made;
  private @Nullable Pending pending;

  /**
   * What the unit that is being committed does.
   *
   * @param snapshots in the record from then on
   * @param gone blobs of snapshots that are not
   */
  record Pending(JournalChange change, List<StoredSnapshot> snapshots, Set<BlobKey> gone) {}

  ActorJournal(ActorPath path, SnapshotPolicy policy) {
    this.path = path;
    this.policy = policy;
  }

  /** The actor was read. */
  void loaded(ActorRecord record, List<JournalKey> stored) {
    entries.clear();
    entries.addAll(stored);
    unreadable.clear();
    retired.clear();
    snapshots = record.snapshots();
    begun = record.begun();
    lastTurn = record.turn();
    correction = null;
    corrected = () -> {};
    postponed = false;
    wished = false;
    isMaking = false;
    made = null;
    pending = null;
    long covered = record.newest().map(StoredSnapshot::turn).orElse(begun);
    countedFrom = record.newest().map(StoredSnapshot::event).orElse(0L);
    since = record.newest().map(StoredSnapshot::at).orElse(Instant.EPOCH);
    bytes = stored.stream().filter(e -> e.turn() > covered).mapToLong(JournalKey::bytes).sum();
    entriesSince = stored.stream().filter(e -> e.turn() > covered).count();
  }

  /**
   * The state is as of event {@code last}.
   *
   * @param notRead snapshots that could not be read: they go when there is another one
   * @param old snapshots that do not count any more: they go, too
   * @param newer whether newer code wrote what this code does not know: a snapshot of what this
   *     code made of it, and the trim that follows, wait until the journal is {@link #CROWDED}
   */
  public void replayed(
      long last, List<StoredSnapshot> notRead, List<StoredSnapshot> old, boolean newer) {
    lastEvent = last;
    postponed = newer;
    unreadable.addAll(notRead);
    retired.addAll(old);
    if (!notRead.isEmpty() || !old.isEmpty()) {
      wished = true;
      countedFrom = -1;
    }
  }

  /**
   * An event of the toolkit's own goes with the next unit that has events, before them; a snapshot
   * is made after that, or goes with it if it is made already.
   *
   * @param durable called when it is
   */
  public void correct(WrittenEvent event, Runnable durable) {
    correction = event;
    corrected = durable;
    wished = made == null;
    countedFrom = made == null ? -1 : made.event();
  }

  /** What goes before the events of the next unit. */
  List<WrittenEvent> corrections() {
    return correction == null ? List.of() : List.of(correction);
  }

  /** The turn of the record as it is stored. */
  public long lastTurn() {
    return lastTurn;
  }

  /** The number of the last event, as far as is committed. */
  public long lastEvent() {
    return lastEvent;
  }

  /**
   * What a unit of {@code turn} does that writes {@code events}.
   *
   * @throws CallboardException {@code JOURNAL_FULL} if there are as many entries as there may be
   */
  Pending change(long turn, List<WrittenEvent> events, Instant now) {
    if (!events.isEmpty() && entries.size() >= Limits.JOURNAL_ENTRIES) {
      throw CallboardException.journalFull(path, entries.size());
    }
    List<StoredSnapshot> next = made == null ? snapshots : with(made);
    Set<BlobKey> gone = new HashSet<>();
    for (StoredSnapshot each : snapshots) {
      if (!next.contains(each)) {
        blob(each).ifPresent(gone::add);
      }
    }
    since = since.equals(Instant.EPOCH) ? now : since;
    byte[] entry = events.isEmpty() ? null : Journal.encode(turn, lastEvent + 1, now, events);
    JournalChange change =
        new JournalChange(
            entry, events.size(), superfluous(next), made == null ? null : made.blob());
    pending = new Pending(change, next, gone);
    return pending;
  }

  /**
   * What a commit removes of a snapshot in the blob log. Of one that could not be read something
   * may be missing, which would refuse the commit: fsck finds the rest.
   */
  private Optional<BlobKey> blob(StoredSnapshot snapshot) {
    BlobRef blob = snapshot.blob();
    return blob == null || unreadable.contains(snapshot)
        ? Optional.empty()
        : Optional.of(new BlobKey(path, blob));
  }

  private List<StoredSnapshot> with(StoredSnapshot newest) {
    List<StoredSnapshot> next = new ArrayList<>(policy.keep());
    next.add(newest);
    for (StoredSnapshot each : snapshots) {
      boolean counts = !unreadable.contains(each) && !retired.contains(each);
      if (next.size() < policy.keep() && counts) {
        next.add(each);
      }
    }
    return List.copyOf(next);
  }

  /**
   * The same for the last unit before the actor begins anew: nothing of it is needed any more. What
   * does not go with this unit goes with those of the one that follows. Its own events are for
   * feeds only.
   */
  Pending delete() {
    Set<BlobKey> gone = new HashSet<>();
    snapshots.forEach(each -> blob(each).ifPresent(gone::add));
    List<JournalKey> trim = entries.stream().limit(TRIMS).toList();
    pending = new Pending(new JournalChange(null, 0, trim, null), List.of(), gone);
    return pending;
  }

  private List<JournalKey> superfluous(List<StoredSnapshot> kept) {
    long to = superfluousTo(kept);
    return entries.stream().takeWhile(entry -> entry.turn() <= to).limit(TRIMS).toList();
  }

  /** With fewer snapshots than are kept, one may be replaced by the events before it. */
  private long superfluousTo(List<StoredSnapshot> kept) {
    if (kept.isEmpty()) {
      return begun;
    }
    StoredSnapshot oldest = kept.get(kept.size() - 1);
    return kept.size() >= policy.keep() || oldest.event() == 0 ? oldest.turn() : begun;
  }

  /** The last unit is durable. */
  void committed(ActorRecord written) {
    Pending done = pending;
    pending = null;
    snapshots = written.snapshots();
    lastTurn = written.turn();
    if (done == null) {
      return;
    }
    JournalChange change = done.change();
    for (JournalKey unused : change.trim()) {
      entries.removeFirst();
    }
    if (made != null && snapshots.contains(made)) {
      made = null;
      unreadable.retainAll(snapshots);
      retired.retainAll(snapshots);
    }
    byte[] entry = change.entry();
    if (entry != null) {
      entries.add(change.key(written.turn(), entry));
      lastEvent += change.events();
      bytes += entry.length;
      entriesSince++;
      if (correction != null) {
        correction = null;
        corrected.run();
      }
    }
  }

  /** The actor's predicate calls for a snapshot. */
  public void wish() {
    wished = true;
  }

  /**
   * Whether a snapshot is to be made of the state as it is committed now: by the policy, or because
   * the journal would not hold what the policy wants to keep.
   */
  public boolean isDue(Instant now) {
    return !isMaking
        && made == null
        && correction == null
        && (!postponed || entries.size() >= CROWDED)
        && lastEvent > countedFrom
        && (wished
            || entriesSince >= Limits.JOURNAL_ENTRIES / (policy.keep() + 1)
            || lastEvent - countedFrom >= policy.events()
            || bytes >= policy.bytes()
            || isTime(now));
  }

  private boolean isTime(Instant now) {
    return policy.after() != null && !now.isBefore(since.plus(policy.after()));
  }

  /** Whether the snapshot that is made lacks what newer code would have made of its events. */
  public boolean isPoorer() {
    return postponed;
  }

  /** It is being made. If that fails, the next is due after as many events again. */
  public void making(Instant now) {
    isMaking = true;
    wished = false;
    countedFrom = lastEvent;
    bytes = 0;
    entriesSince = 0;
    since = now;
  }

  /** It was made: the next unit names it. */
  public void made(StoredSnapshot snapshot) {
    isMaking = false;
    made = snapshot;
  }

  /** It could not be made. */
  public void notMade() {
    isMaking = false;
  }

  /** The snapshot that waits for a unit, if one does. */
  public @Nullable StoredSnapshot made() {
    return made;
  }

  /** Whether there are neither entries nor snapshots. */
  public boolean isEmpty() {
    return correction == null
        && entries.isEmpty()
        && snapshots.isEmpty()
        && made == null
        && !isMaking;
  }

  /** Whether there is something to commit besides turns. */
  public boolean hasChores() {
    return made != null
        || correction != null
        || (!entries.isEmpty() && entries.getFirst().turn() <= superfluousTo(snapshots));
  }
}
