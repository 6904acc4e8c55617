package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that this node has lost, each with its rows until the next owner has them; those for
 * which there is no room are read from the store. Not thread-safe.
 */
@Machine
final class LostPartitions {
  /**
   * Maximum number of rows and tombstones of all of them: some 50 MB, up to 250 MB with the longest
   * texts. They were in memory before.
   */
  static final int MOST_ROWS = 200_000;

  /** By number. */
  private final Map<Integer, LeftRows> lost = new HashMap<>();

  private final int most;

  LostPartitions(int most) {
    this.most = most;
  }

  /**
   * Keeps the rows of a lost partition in place of those of an earlier loss, if there is room;
   * never drops others, as they may be being fetched.
   */
  void add(int partition, LeftRows left) {
    lost.remove(partition);
    long sum = lost.values().stream().mapToLong(LostPartitions::size).sum();
    if (left.isWhole() && sum + size(left) <= most) {
      lost.put(partition, left);
    }
  }

  private static long size(LeftRows left) {
    return left.rows().size() + (long) left.rows().tombs().size();
  }

  /** Returns the rows of a partition that was lost in an epoch; null if they are not kept. */
  @Nullable LeftRows of(int partition, long epoch) {
    LeftRows left = lost.get(partition);
    return left != null && left.rows().epoch() == epoch ? left : null;
  }

  /** Forgets the rows of a partition that was lost in an epoch. */
  void forget(int partition, long epoch) {
    if (of(partition, epoch) != null) {
      lost.remove(partition);
    }
  }

  /** Returns the number of lost partitions with rows. */
  int count() {
    return lost.size();
  }
}
