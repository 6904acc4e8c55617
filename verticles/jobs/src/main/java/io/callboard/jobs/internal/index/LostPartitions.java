package io.callboard.jobs.internal.index;

import io.callboard.time.Machine;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that this node has lost, each with its rows until the next owner has them, as far as
 * there is room; the others read the records. Not thread-safe.
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
   * Keeps what was left of a partition, in place of an earlier loss, if there is room: what was
   * lost before may be being fetched.
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

  /** Returns what was left of a partition in an epoch; null if it is not here. */
  @Nullable LeftRows of(int partition, long epoch) {
    LeftRows left = lost.get(partition);
    return left != null && left.rows().epoch() == epoch ? left : null;
  }

  /** Forgets what was left of a partition in an epoch. */
  void forget(int partition, long epoch) {
    if (of(partition, epoch) != null) {
      lost.remove(partition);
    }
  }

  /** Returns their number. */
  int count() {
    return lost.size();
  }
}
