package io.callboard.jobs.internal.index;

import io.callboard.jobs.internal.index.IndexRow.Mark;
import io.callboard.jobs.model.Job;
import io.callboard.time.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one partition while this node owns it in one epoch. Changes may come before, while and
 * after the records are read; the newest version wins. Not thread-safe.
 */
@Machine
final class PartitionRows {
  private static final Comparator<JobId> BY_ID =
      Comparator.<JobId>comparingLong(id -> id.high() + Long.MIN_VALUE)
          .thenComparingLong(id -> id.low() + Long.MIN_VALUE);

  private static final int MOST_GONE = 200;

  /**
   * Mark of a deleted job whose tombstone is not known yet: every version of the job is old, and
   * that tombstone is not.
   */
  private static final long HIDDEN = Long.MAX_VALUE - 1;

  private final long epoch;
  private final RowCounts counts;
  private final NavigableSet<IndexRow> rows = new TreeSet<>();
  private final NavigableSet<IndexRow> successes = new TreeSet<>(IndexRow.OLDEST_END_FIRST);
  private final NavigableSet<IndexRow> others = new TreeSet<>(IndexRow.OLDEST_END_FIRST);
  private final NavigableMap<JobId, IndexTombstone> tombs = new TreeMap<>(BY_ID);

  /**
   * Last versions of jobs that went, whose older readings and answers are ignored: all until the
   * records are read, then the last ones.
   */
  private final Map<JobId, Long> gone =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, Long> eldest) {
          return read && size() > MOST_GONE;
        }
      };

  private boolean read;
  private boolean readable = true;
  private boolean handedOver;

  /**
   * Creates an empty set of rows.
   *
   * @param counts counts of the node, to which these add
   */
  PartitionRows(long epoch, RowCounts counts) {
    this.epoch = epoch;
    this.counts = counts;
  }

  long epoch() {
    return epoch;
  }

  /** Returns whether all records were read. */
  boolean isRead() {
    return read;
  }

  /** Records that all records were read. */
  void allRead() {
    read = true;
  }

  /** Returns whether no record was found unreadable. */
  boolean isReadable() {
    return readable;
  }

  /** Records that a record cannot be read. */
  void unreadable() {
    readable = false;
  }

  /** Records that the next owner has all rows; later changes are not committed here. */
  void handedOver() {
    handedOver = true;
  }

  /** Returns whether the next owner has all rows. */
  boolean isHandedOver() {
    return handedOver;
  }

  /**
   * Puts a job as its actor reports it, even if a tombstone of it is known. An answer or a reading
   * may have been first, with a newer row; a reading also with a newer tombstone.
   */
  void is(JobId id, Job job) {
    IndexRow before = get(id);
    if (!isKnown(before, read ? null : tombs.get(id), job.version())) {
      put(id, before, job, true);
    }
  }

  /**
   * Puts a job as it was answered or read, unless a newer version of it is known.
   *
   * @param live whether this is a change just now, not a record that was read
   */
  void put(JobId id, Job job, boolean live) {
    IndexRow before = get(id);
    if (!isOld(id, before, job.version())) {
      put(id, before, job, live);
    }
  }

  private void put(JobId id, @Nullable IndexRow before, Job job, boolean live) {
    boolean isNew = live && read && before == null && job.runs().isEmpty();
    IndexRow row = new IndexRow(id, job, counts.interned(job.type()), before, isNew);
    replace(id, before, row);
    if (live && (before != null || read)) {
      counts.changed(before, row, job);
    }
  }

  /** Puts a job as the former owner had it, unless a newer version of it is known. */
  void put(JobId id, HandedRow handed) {
    IndexRow before = get(id);
    if (!isOld(id, before, handed.version())) {
      replace(id, before, new IndexRow(id, handed, counts.interned(handed.type())));
    }
  }

  private boolean isOld(JobId id, @Nullable IndexRow before, long version) {
    return isGone(id, version) || isKnown(before, tombs.get(id), version);
  }

  private static boolean isKnown(
      @Nullable IndexRow row, @Nullable IndexTombstone tomb, long version) {
    return (row != null && row.version >= version) || (tomb != null && tomb.version >= version);
  }

  private void replace(JobId id, @Nullable IndexRow before, IndexRow row) {
    counts.tomb(tombs.remove(id), -1); // it was let go or is over, and the job is restored
    if (before != null) {
      drop(before);
    }
    add(row);
  }

  private void add(IndexRow row) {
    rows.add(row);
    if (row.hasEnded()) {
      ended(row).add(row);
    }
    counts.add(row, 1);
  }

  private void drop(IndexRow row) {
    rows.remove(row);
    if (row.hasEnded()) {
      ended(row).remove(row);
    }
    counts.add(row, -1);
  }

  private NavigableSet<IndexRow> ended(IndexRow row) {
    return row.isSuccess() ? successes : others;
  }

  /** Removes a job, of which at most a tombstone is left. */
  void gone(JobId id, long version) {
    IndexRow row = get(id);
    if (row != null && row.version <= version) {
      drop(row);
    }
    Long unused = gone.merge(id, version, Math::max);
    counts.tomb(tombs.remove(id), -1);
  }

  /** Hides a job that was deleted just now, and whose tombstone will be reported, or read. */
  void deleted(JobId id) {
    IndexRow row = get(id);
    if (row != null) {
      drop(row);
    }
    Long unused = gone.merge(id, HIDDEN, Math::max);
  }

  /**
   * Replaces a job by its tombstone, unless it was restored.
   *
   * @param live whether this is a change just now, not a record that was read
   */
  void remains(JobId id, IndexTombstone tomb, boolean live) {
    IndexTombstone before = tombs.get(id);
    IndexRow row = get(id);
    if ((row != null && row.version > tomb.version)
        || (!live && (before != null || isGone(id, tomb.version)))) {
      return; // an old reading
    }
    gone(id, tomb.version);
    tomb.cleared = before != null && before.cleared;
    tombs.put(id, tomb);
    counts.tomb(tomb, 1);
  }

  private boolean isGone(JobId id, long version) {
    return gone.getOrDefault(id, -1L) >= version;
  }

  /** Takes all rows away from the counts. */
  void clear() {
    rows.forEach(row -> counts.add(row, -1));
    tombs.values().forEach(tomb -> counts.tomb(tomb, -1));
  }

  /** Returns the row of a job; null if there is none. */
  @Nullable IndexRow get(JobId id) {
    IndexRow probe = new IndexRow(id);
    IndexRow found = rows.floor(probe);
    return found != null && found.equals(probe) ? found : null;
  }

  /** Returns whether a job has a record, or was deleted. */
  boolean knows(JobId id) {
    IndexTombstone tomb = tombs.get(id);
    return get(id) != null || (tomb != null && tomb.isDeleted());
  }

  /** Adds the first rows of a list to those of other partitions, of which {@code most} stay. */
  void page(RowQuery query, int most, NavigableSet<IndexRow> page) {
    NavigableSet<IndexRow> ordered = query.ascending() ? rows : rows.descendingSet();
    IndexRow after = query.after();
    for (IndexRow row : after == null ? ordered : ordered.tailSet(after, false)) {
      if (page.size() == most && page.comparator().compare(row, page.last()) > 0) {
        return;
      }
      if (query.matches(row)) {
        page.add(row);
        if (page.size() > most) {
          page.pollLast();
        }
      }
    }
  }

  int size() {
    return rows.size();
  }

  /** Returns the first ended jobs of a class that a condition holds for, the oldest end first. */
  List<IndexRow> oldest(boolean ofSuccesses, int most, Predicate<IndexRow> condition) {
    List<IndexRow> found = new ArrayList<>();
    for (IndexRow row : ofSuccesses ? successes : others) {
      if (found.size() == most) {
        break;
      }
      if (condition.test(row)) {
        found.add(row);
      }
    }
    return found;
  }

  /** Returns ended jobs that ended before a time and that a condition holds for. */
  List<IndexRow> endedBefore(long beforeNs, int most, Predicate<IndexRow> condition) {
    List<IndexRow> found = new ArrayList<>();
    for (NavigableSet<IndexRow> each : List.of(successes, others)) {
      int limit = found.size() + most;
      for (IndexRow row : each) {
        if (row.endedNs >= beforeNs || found.size() == limit) {
          break;
        }
        if (condition.test(row)) {
          found.add(row);
        }
      }
    }
    return found;
  }

  /** Marks a version of a job, if it is the current one. */
  void mark(JobId id, long version, Mark mark) {
    IndexRow row = get(id);
    if (row != null && row.version == version) {
      counts.add(row, -1);
      row.mark = mark;
      counts.add(row, 1);
    }
  }

  /** Returns the rows after that of a job, by id; all if it is null. */
  NavigableSet<IndexRow> after(@Nullable JobId job) {
    return job == null ? rows : rows.tailSet(new IndexRow(job), false);
  }

  /** Returns the tombstones after that of a job, by id; all if it is null. */
  NavigableMap<JobId, IndexTombstone> tombsAfter(@Nullable JobId job) {
    return job == null ? tombs : tombs.tailMap(job, false);
  }

  /** Returns the tombstones, by id. */
  Map<JobId, IndexTombstone> tombs() {
    return tombs;
  }
}
