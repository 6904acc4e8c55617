package io.callboard.zookeeper.fsck;

import io.callboard.codecs.CodecException;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.client.BlockingReads;
import io.callboard.zookeeper.client.BulkReads;
import io.callboard.zookeeper.client.Handle.Node;
import io.callboard.zookeeper.fsck.FsckFinding.Kind;
import io.callboard.zookeeper.layout.Layout;
import io.callboard.zookeeper.layout.StoredCommits;
import io.callboard.zookeeper.read.CellReader.StoredLease;
import io.callboard.zookeeper.session.NodeSession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/**
 * A node that may be forgotten: no member, no owner, and long not seen.
 *
 * @param seenBefore what it did must be older
 * @param forget whether it may be deleted
 */
record SuspectNode(Layout layout, String node, Instant seenBefore, boolean forget)
    implements Anomaly.Suspect {

  @Override
  public Optional<Anomaly> examine(BlockingReads cell) {
    String member = layout.member(node);
    Map<String, Stat> left = cell.stats(List.of(layout.incarnation(node), layout.commits(node)));
    long seen = left.values().stream().mapToLong(Stat::getMtime).max().orElse(Long.MAX_VALUE);
    if (left.isEmpty()
        || !Instant.ofEpochMilli(seen).isBefore(seenBefore)
        || !cell.stats(List.of(member)).isEmpty()
        || mayOwn(cell)
        || !isReadable(cell, left.keySet())) {
      return Optional.empty();
    }
    String path = left.keySet().iterator().next();
    String what = "node %s was last seen at %s".formatted(node, Instant.ofEpochMilli(seen));
    if (!forget) {
      return Optional.of(
          Anomaly.reported(
              Kind.FORGOTTEN_NODE, path, what, "none unless nodes are to be forgotten"));
    }
    // a node that comes back is a member and has another incarnation before it claims anything
    List<Op> repair = new ArrayList<>(Anomaly.absent(member, cell.handle().acl()));
    left.forEach((znode, stat) -> repair.add(Op.delete(znode, stat.getVersion())));
    return Optional.of(
        new Anomaly(
            Kind.FORGOTTEN_NODE,
            path,
            what,
            "delete its incarnation and commit number",
            List.of(repair)));
  }

  /**
   * Returns whether the znode can be read; an unreadable one is reported as damaged, and never
   * deleted.
   */
  private boolean isReadable(BlockingReads cell, Set<String> paths) {
    Map<String, Node> nodes = BlockingReads.on(BulkReads.small(cell.handle(), List.copyOf(paths)));
    try {
      for (Map.Entry<String, Node> each : nodes.entrySet()) {
        Object unused =
            each.getKey().equals(layout.incarnation(node))
                ? NodeSession.StoredIncarnation.decode(each.getKey(), each.getValue())
                : StoredCommits.decode(each.getKey(), each.getValue());
      }
      return true;
    } catch (CodecException | StoreException e) {
      return false;
    }
  }

  /**
   * Returns whether the node may own the partition; the owner of a lease that cannot be read is
   * unknown.
   */
  private boolean mayOwn(BlockingReads cell) {
    String top = layout.top("o");
    List<String> paths = cell.children(top).stream().map(name -> top + "/" + name).toList();
    return BlockingReads.on(BulkReads.small(cell.handle(), paths)).entrySet().stream()
        .filter(entry -> layout.isPartition(BulkReads.name(entry.getKey())))
        .anyMatch(entry -> mayOwn(entry.getKey(), entry.getValue()));
  }

  private boolean mayOwn(String path, Node lease) {
    try {
      return StoredLease.decode(path, lease).owner().equals(node);
    } catch (CodecException | StoreException e) {
      return true;
    }
  }
}
