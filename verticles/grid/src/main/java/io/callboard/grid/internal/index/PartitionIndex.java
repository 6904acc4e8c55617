package io.callboard.grid.internal.index;

/** Index of what is stored in the partitions of a node. Thread-safe. */
public interface PartitionIndex {
  /** Notes that this node has gained a partition; returns whether that is news. */
  boolean gained(int partition, long epoch);

  /** Notes that this node has lost a partition. */
  void lost(int partition);

  /** Returns whether this node owns a partition in that epoch. */
  boolean has(int partition, long epoch);

  /** Notes that a partition was read. */
  void allRead(int partition, long epoch);
}
