package io.callboard.workflows.internal.index;

import io.callboard.time.Machine;
import io.callboard.workflows.model.InstanceRow;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Rows of one partition while this node owns it in one epoch. Changes may come before, while and
 * after the records are read; the newest change wins. Not thread-safe.
 */
@Machine
final class RowsOfPartition {
  private final long epoch;
  private final TreeMap<String, InstanceRow> rows = new TreeMap<>();

  /** Instances that have ended, as far as they are not held. */
  private final EndedInstances ended = new EndedInstances();

  /** Instances that went while the records are read, whose older readings are ignored. */
  private final Map<String, Long> gone = new HashMap<>();

  private boolean read;

  RowsOfPartition(long epoch) {
    this.epoch = epoch;
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
    gone.clear();
  }

  /**
   * Puts a row, unless a newer one is known; returns the row that it replaces, or the row itself.
   */
  Optional<InstanceRow> put(InstanceRow row) {
    InstanceRow before = rows.get(row.id());
    if ((before != null && before.change() >= row.change())
        || gone.getOrDefault(row.id(), -1L) >= row.change()) {
      return Optional.of(row);
    }
    rows.put(row.id(), row);
    if (before != null) {
      ended.remove(before);
    }
    ended.add(row);
    return Optional.ofNullable(before);
  }

  /** Removes an instance of which nothing is left; returns its row. */
  Optional<InstanceRow> gone(String id, long change) {
    if (!read) {
      Long unused = gone.merge(id, change, Math::max);
    }
    InstanceRow before = rows.get(id);
    if (before == null || before.change() > change) {
      return Optional.empty();
    }
    rows.remove(id);
    ended.remove(before);
    return Optional.of(before);
  }

  /** Returns the instances that have ended. */
  EndedInstances ended() {
    return ended;
  }

  /** Returns whether an instance is known, or known to have gone. */
  boolean knows(String id) {
    return rows.containsKey(id) || gone.containsKey(id);
  }

  /** Returns the rows in the order of their ids; a view. */
  TreeMap<String, InstanceRow> rows() {
    return rows;
  }
}
