package io.callboard.workflows.internal.index;

import io.callboard.codecs.ActorPath;
import io.callboard.time.Machine;
import io.callboard.workflows.model.InstanceCount;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.model.InstanceState;
import io.callboard.workflows.model.WorkflowQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Index of the instances whose partitions this node owns. Thread-safe; a list is looked up one
 * partition after another, so that changes wait for one at most.
 */
@Machine
public final class InstanceIndex implements InstanceObserver {
  private final String prefix;
  private final int partitions;
  private final Map<Integer, RowsOfPartition> owned = new TreeMap<>();
  private final Map<Group, Long> counts = new HashMap<>();
  private long changes;

  /** Instances that are counted together. */
  private record Group(String definition, String version, InstanceState state) {
    static Group of(InstanceRow row) {
      return new Group(row.definition(), row.version(), row.state());
    }
  }

  /**
   * Creates the index of a node, without any partition.
   *
   * @param prefix path of which the actors of instances are children
   * @param partitions number of partitions of a space
   */
  public InstanceIndex(String prefix, int partitions) {
    this.prefix = prefix;
    this.partitions = partitions;
  }

  /** Returns the path of which the actors of instances are children. */
  ActorPath prefix() {
    return ActorPath.of(prefix);
  }

  /** Returns the number of partitions of the space. */
  int partitions() {
    return partitions;
  }

  /** Returns the number of the partition of an instance. */
  int partition(String id) {
    return ActorPath.of(prefix + "/" + id).partition(partitions).number();
  }

  /** Begins with a partition that this node owns; returns whether its records are to be read. */
  synchronized boolean gained(int partition, long epoch) {
    RowsOfPartition rows = owned.get(partition);
    if (rows != null && rows.epoch() >= epoch) {
      return false;
    }
    lost(partition);
    owned.put(partition, new RowsOfPartition(epoch));
    return true;
  }

  /** Drops a partition. */
  synchronized void lost(int partition) {
    RowsOfPartition rows = owned.remove(partition);
    if (rows != null) {
      rows.rows().values().forEach(row -> count(row, -1));
      changes++;
    }
  }

  /** Returns whether this node owns a partition in that epoch. */
  synchronized boolean has(int partition, long epoch) {
    RowsOfPartition rows = owned.get(partition);
    return rows != null && rows.epoch() == epoch;
  }

  /** Takes a row that was read from the store for a partition in that epoch. */
  synchronized void read(int partition, long epoch, InstanceRow row) {
    if (has(partition, epoch)) {
      is(row);
    }
  }

  /** Returns whether an instance is known, or known to have gone. */
  synchronized boolean knows(String id) {
    RowsOfPartition rows = owned.get(partition(id));
    return rows != null && rows.knows(id);
  }

  /** Records that all records of a partition were read in that epoch. */
  synchronized void allRead(int partition, long epoch) {
    RowsOfPartition rows = owned.get(partition);
    if (rows != null && rows.epoch() == epoch) {
      rows.allRead();
      changes++;
    }
  }

  @Override
  public synchronized void is(InstanceRow instance) {
    RowsOfPartition rows = owned.get(partition(instance.id()));
    if (rows == null) {
      return;
    }
    Optional<InstanceRow> before = rows.put(instance);
    if (before.filter(row -> row == instance).isEmpty()) {
      before.ifPresent(row -> count(row, -1));
      count(instance, 1);
      changes++;
    }
  }

  @Override
  public synchronized void gone(String id, long change) {
    RowsOfPartition rows = owned.get(partition(id));
    if (rows != null) {
      rows.gone(id, change).ifPresent(row -> count(row, -1));
      changes++;
    }
  }

  private void count(InstanceRow row, long by) {
    counts.merge(Group.of(row), by, (one, other) -> one + other == 0 ? null : one + other);
  }

  /** Returns the partitions for which this node can answer. */
  synchronized ReadPartitions coverage() {
    Map<Integer, Long> epochs = new TreeMap<>();
    owned.forEach(
        (partition, rows) -> {
          if (rows.isRead()) {
            epochs.put(partition, rows.epoch());
          }
        });
    return new ReadPartitions(epochs, epochs.size() < owned.size());
  }

  /** Returns the first rows of a list, at most {@code most}. */
  List<InstanceRow> page(WorkflowQuery query, int most) {
    RowFilter filter = new RowFilter(query);
    NavigableSet<InstanceRow> page = new TreeSet<>(filter.order());
    for (int partition : partitionsOwned()) {
      page(partition, query, filter, most, page);
    }
    return List.copyOf(page);
  }

  /** Returns the numbers of the partitions that this node owns. */
  public Collection<Integer> owned() {
    return partitionsOwned();
  }

  private synchronized List<Integer> partitionsOwned() {
    return List.copyOf(owned.keySet());
  }

  private synchronized void page(
      int partition,
      WorkflowQuery query,
      RowFilter filter,
      int most,
      NavigableSet<InstanceRow> page) {
    RowsOfPartition rows = owned.get(partition);
    if (rows == null) {
      return;
    }
    NavigableMap<String, InstanceRow> ordered =
        query.ascending() ? rows.rows() : rows.rows().descendingMap();
    for (InstanceRow row :
        (query.cursor() == null ? ordered : ordered.tailMap(query.cursor(), false)).values()) {
      if (page.size() == most && filter.order().compare(row, page.last()) > 0) {
        return;
      }
      if (filter.matches(row) && page.add(row) && page.size() > most) {
        page.pollLast();
      }
    }
  }

  /** Returns the numbers of instances by definition, version and state. */
  synchronized List<InstanceCount> counts() {
    List<InstanceCount> all = new ArrayList<>();
    counts.forEach(
        (group, count) ->
            all.add(new InstanceCount(group.definition(), group.version(), group.state(), count)));
    return all;
  }

  /** Returns the same numbers, with the partitions that they are of. */
  synchronized InstancesAnswer.Counts counted() {
    return new InstancesAnswer.Counts(counts(), coverage());
  }

  // For the retention.

  /**
   * Returns the numbers of ended instances, and those that are removed first, at most {@code most}.
   */
  public synchronized InstancesAnswer.Ended ended(int most, EndedOrder order) {
    Map<Integer, Integer> numbers = new TreeMap<>();
    NavigableSet<EndedInstance> first = new TreeSet<>(order);
    owned.forEach(
        (partition, rows) -> {
          if (rows.isRead()) {
            numbers.put(partition, rows.ended().size());
            rows.ended().first(most, first);
          }
        });
    return new InstancesAnswer.Ended(numbers, List.copyOf(first), coverage());
  }

  /** Returns whether this node owns the partition of an instance. */
  public synchronized boolean isOwned(String id) {
    return owned.containsKey(partition(id));
  }

  /** Returns which of some instances have not ended. */
  synchronized InstancesAnswer.Running running(List<String> ids) {
    List<String> running = new ArrayList<>();
    for (String id : ids) {
      RowsOfPartition rows = owned.get(partition(id));
      InstanceRow row = rows == null ? null : rows.rows().get(id);
      if (row != null && !row.state().isEnded()) {
        running.add(id);
      }
    }
    return new InstancesAnswer.Running(running, coverage());
  }

  /** Returns which of some instances are in this node's partitions. */
  synchronized InstancesAnswer.Known known(List<String> ids) {
    List<String> known = new ArrayList<>();
    for (String id : ids) {
      RowsOfPartition rows = owned.get(partition(id));
      if (rows != null && rows.rows().containsKey(id)) {
        known.add(id);
      }
    }
    return new InstancesAnswer.Known(known);
  }

  /** Leaves an ended instance out of {@link #ended} until {@link #release}, or until it changes. */
  public synchronized void hold(EndedInstance instance) {
    RowsOfPartition rows = owned.get(partition(instance.id()));
    if (rows != null) {
      rows.ended().hold(instance);
    }
  }

  /** Releases all held instances. */
  public synchronized void release() {
    owned.values().forEach(rows -> rows.ended().release());
  }

  /** Returns a number that grows with each change. */
  public synchronized long changes() {
    return changes;
  }
}
