package io.callboard.placement;

import io.callboard.codecs.Partition;
import io.callboard.time.Machine;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that this node handed over, and the node that each was for. One that came back is
 * handed to that node again only after a time, which doubles each time.
 */
@Machine
final class HandOverHistory {
  /**
   * Maximum number of doublings of the time until a partition is handed again to a node that did
   * not take it.
   */
  private static final int MOST_DOUBLINGS = 8;

  private final Map<Partition, HandOver> byPartition = new HashMap<>();

  /**
   * Hand-over of a partition.
   *
   * @param to the boot of the node that it is for
   * @param name of that node
   * @param declined how often that node did not take it
   * @param notBeforeNs not handed to it before
   */
  record HandOver(String to, String name, int declined, long notBeforeNs) {
    private HandOver cameBack(long nowNs) {
      int times = Math.min(declined + 1, MOST_DOUBLINGS);
      return new HandOver(to, name, times, nowNs + (Claims.SETTLED_NANOS << times));
    }
  }

  /** Returns the next hand-over of a partition to that node, which is not made yet. */
  HandOver next(Partition partition, Ranking.Candidate to, long nowNs) {
    HandOver last = byPartition.get(partition);
    return last != null && last.to().equals(to.boot())
        ? last
        : new HandOver(to.boot(), to.name(), 0, nowNs);
  }

  /** Records a hand-over. */
  void made(Partition partition, HandOver handOver) {
    byPartition.put(partition, handOver);
  }

  /** Reports that this node owns a partition again. */
  void cameBack(Partition partition, long nowNs) {
    byPartition.computeIfPresent(partition, (which, handOver) -> handOver.cameBack(nowNs));
  }

  /** Forgets a partition: another node has it, or it is for any. */
  void forget(Partition partition) {
    byPartition.remove(partition);
  }

  /** Returns the last hand-over of a partition; null if there was none. */
  @Nullable HandOver last(Partition partition) {
    return byPartition.get(partition);
  }
}
