package io.callboard.zookeeper.fsck;

import io.callboard.codecs.Partition;
import io.callboard.zookeeper.fsck.FsckFinding.Kind;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.layout.Layout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/**
 * Parents of a partition that may never have had an owner or an actor.
 *
 * @param settled parents made before may be expected to hold something
 */
record SuspectPartition(Layout layout, Partition partition, Instant settled)
    implements Anomaly.Suspect {

  @Override
  public Optional<Anomaly> examine(BlockingReads cell) {
    String lease = layout.lease(partition);
    Map<String, Stat> parents = cell.stats(layout.parents(partition));
    boolean used =
        parents.values().stream()
            .anyMatch(
                stat ->
                    stat.getNumChildren() > 0
                        || Instant.ofEpochMilli(stat.getCtime()).isAfter(settled));
    if (parents.isEmpty() || used || !cell.stats(List.of(lease)).isEmpty()) {
      return Optional.empty();
    }
    List<Op> repair = new ArrayList<>(Anomaly.absent(lease, cell.handle().acl()));
    // one that got a child meanwhile is not deleted, nor are the others
    parents.forEach((path, stat) -> repair.add(Op.delete(path, stat.getVersion())));
    return Optional.of(
        new Anomaly(
            Kind.EMPTY_PARTITION,
            parents.keySet().iterator().next(),
            "partition %s holds nothing and never had an owner".formatted(partition),
            "delete its %d parents".formatted(parents.size()),
            List.of(repair)));
  }
}
