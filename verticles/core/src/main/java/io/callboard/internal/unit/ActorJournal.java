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
 * Journal of one persistent actor as its turn loop knows it: the stored entries and snapshots, when
 * a snapshot is due, and what can be trimmed. A machine without I/O; not thread-safe.
 *
 * <p>A snapshot is due after a commit; it is made elsewhere, and the next commit names it in the
 * record. Entries that it makes superfluous are trimmed by that commit and those that follow.
 */
@Machine
public final class ActorJournal {
  /** Limit of the entries trimmed by one commit. */
  static final int TRIMS = 200;

  /** Number of entries up to which events of newer code are left to newer code. */
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
   * Changes of the unit that is being committed.
   *
   * @param snapshots the snapshots in the record from then on
   * @param gone blobs of snapshots that are no longer in it
   */
  record Pending(JournalChange change, List<StoredSnapshot> snapshots, Set<BlobKey> gone) {}

  ActorJournal(ActorPath path, SnapshotPolicy policy) {
    this.path = path;
    this.policy = policy;
  }

  /** Loads what was read of the actor. */
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
   * Sets the result of the replay: the state as of event {@code last}.
   *
   * @param notRead snapshots that could not be read: they are removed when there is another one
   * @param old snapshots that do not count any more: they are removed, too
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
   * Adds an event of the toolkit's own to the next unit that has events, before them. A snapshot is
   * made after that, or goes with it if it is made already.
   *
   * @param durable called when the event is durable
   */
  public void correct(WrittenEvent event, Runnable durable) {
    correction = event;
    corrected = durable;
    wished = made == null;
    countedFrom = made == null ? -1 : made.event();
  }

  /** Events of the toolkit's own that go before those of the next unit. */
  List<WrittenEvent> corrections() {
    return correction == null ? List.of() : List.of(correction);
  }

  /** Returns the turn of the stored record. */
  public long lastTurn() {
    return lastTurn;
  }

  /** Returns the number of the last committed event. */
  public long lastEvent() {
    return lastEvent;
  }

  /**
   * Changes of a unit of {@code turn} that writes {@code events}.
   *
   * @throws CallboardException {@code JOURNAL_FULL} if the journal is full
   */
  Pending change(long turn, List<WrittenEvent> events, Instant now) {
    if (!events.isEmpty() && entries.size() >= Limits.JOURNAL_ENTRIES) {
      throw CallboardException.journalFull(path, entries.size());
    }
    List<StoredSnapshot> next = snapshots;
    Set<BlobKey> gone = new HashSet<>();
    if (made != null) { // each turn comes here: up to 100 snapshots are compared only if one is new
      next = with(made);
      for (StoredSnapshot each : snapshots) {
        if (!next.contains(each)) {
          blob(each).ifPresent(gone::add);
        }
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
   * Returns the blob that a commit removes with a snapshot. Parts of one that could not be read may
   * be missing, which would refuse the commit: fsck finds the rest.
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
   * Changes of the last unit before the actor begins anew: nothing of it is needed any more. What
   * is not removed with this unit is removed with those that follow. Its own events are for feeds
   * only.
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

  /**
   * Returns the last turn whose entries are superfluous. While there are fewer snapshots than the
   * policy keeps, the events from the beginning may have to replace one.
   */
  private long superfluousTo(List<StoredSnapshot> kept) {
    if (kept.isEmpty()) {
      return begun;
    }
    StoredSnapshot oldest = kept.get(kept.size() - 1);
    return kept.size() >= policy.keep() || oldest.event() == 0 ? oldest.turn() : begun;
  }

  /** Applies the last unit, which is durable. */
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

  /** Requests a snapshot for the actor's predicate. */
  public void wish() {
    wished = true;
  }

  /**
   * Returns whether a snapshot is due of the state as it is committed now: by the policy, or
   * because the journal would not hold what the policy wants to keep.
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

  /** Returns whether a snapshot made now would lack what newer code makes of its events. */
  public boolean isPoorer() {
    return postponed;
  }

  /**
   * Records that a snapshot is being made. If that fails, the next is due after as many events
   * again.
   */
  public void making(Instant now) {
    isMaking = true;
    wished = false;
    countedFrom = lastEvent;
    bytes = 0;
    entriesSince = 0;
    since = now;
  }

  /** Records that the snapshot was made: the next unit names it. */
  public void made(StoredSnapshot snapshot) {
    isMaking = false;
    made = snapshot;
  }

  /** Records that the snapshot could not be made. */
  public void notMade() {
    isMaking = false;
  }

  /** Returns the snapshot that waits for a unit; null if there is none. */
  public @Nullable StoredSnapshot made() {
    return made;
  }

  /** Returns whether there are neither entries nor snapshots. */
  public boolean isEmpty() {
    return correction == null
        && entries.isEmpty()
        && snapshots.isEmpty()
        && made == null
        && !isMaking;
  }

  /** Returns whether there is something to commit besides turns. */
  public boolean hasChores() {
    return made != null
        || correction != null
        || (!entries.isEmpty() && entries.getFirst().turn() <= superfluousTo(snapshots));
  }
}
