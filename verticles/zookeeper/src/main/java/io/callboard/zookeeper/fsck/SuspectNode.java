package io.callboard.zookeeper.fsck;

import io.callboard.codecs.CodecException;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.fsck.FsckFinding.Kind;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.client.Handle.Node;
import io.callboard.zookeeper.internal.client.VersionedWrite;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.layout.StoredCommits;
import io.callboard.zookeeper.internal.read.CellReader.StoredLease;
import io.callboard.zookeeper.internal.session.NodeSession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/**
 * A node that may be forgotten: no member, long not seen, and no owner but of roles that nobody has
 * taken since, as a node that did not leave the cell by itself is of its own.
 *
 * @param now time of the check
 * @param seenBefore what it did must be older
 * @param forget whether it may be deleted
 */
record SuspectNode(Layout layout, String node, Instant now, Instant seenBefore, boolean forget)
    implements Anomaly.Suspect {

  @Override
  public Optional<Anomaly> examine(BlockingReads cell) {
    String member = layout.member(node);
    Map<String, Stat> left = cell.stats(List.of(layout.incarnation(node), layout.commits(node)));
    long seen = left.values().stream().mapToLong(Stat::getMtime).max().orElse(Long.MAX_VALUE);
    if (left.isEmpty()
        || !Instant.ofEpochMilli(seen).isBefore(seenBefore)
        || !cell.stats(List.of(member)).isEmpty()
        || !isReadable(cell, left.keySet())) {
      return Optional.empty();
    }
    return owned(cell).map(roles -> forgotten(cell, left, seen, roles));
  }

  private Anomaly forgotten(
      BlockingReads cell, Map<String, Stat> left, long seen, List<Lease> roles) {
    String member = layout.member(node);
    String path = left.keySet().iterator().next();
    String what = "node %s was last seen at %s".formatted(node, Instant.ofEpochMilli(seen));
    if (!forget) {
      return Anomaly.reported(
          Kind.FORGOTTEN_NODE, path, what, "none unless nodes are to be forgotten");
    }
    // a node that comes back is a member and has another incarnation before it claims anything
    List<Op> repair = new ArrayList<>(Anomaly.absent(member, cell.handle().acl()));
    left.forEach((znode, stat) -> repair.add(Op.delete(znode, stat.getVersion())));
    // its epoch stays, and another version fences whatever the node still sends
    roles.forEach(
        lease ->
            repair.addAll(
                VersionedWrite.of(
                    layout.lease(lease.partition()),
                    StoredLease.encode(lease.released(now)),
                    lease.version(),
                    cell.handle().acl())));
    return new Anomaly(
        Kind.FORGOTTEN_NODE,
        path,
        what,
        roles.isEmpty()
            ? "delete its incarnation and commit number"
            : "delete its incarnation and commit number, and release its roles %s"
                .formatted(roles.stream().map(lease -> lease.partition().toString()).toList()),
        List.of(repair));
  }

  /**
   * Returns whether a lease is one of a role that was left behind long ago. The servers' time
   * tells, as for the other znodes: the node's own clock may have been wrong, and a claim changes
   * the lease alone.
   */
  private boolean isLeft(Lease lease, Stat stat) {
    return lease.partition().isRole() && Instant.ofEpochMilli(stat.getMtime()).isBefore(seenBefore);
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
   * Returns the leases of the node, all of roles that it left behind; empty if it has another one,
   * or if there is one that cannot be read, whose owner is unknown.
   */
  private Optional<List<Lease>> owned(BlockingReads cell) {
    String top = layout.top("o");
    List<String> paths = cell.children(top).stream().map(name -> top + "/" + name).toList();
    List<Lease> owned = new ArrayList<>();
    Map<String, Node> leases = BlockingReads.on(BulkReads.small(cell.handle(), paths));
    for (Map.Entry<String, Node> each : leases.entrySet()) {
      if (!layout.isPartition(BulkReads.name(each.getKey()))) {
        continue;
      }
      try {
        Lease lease = StoredLease.decode(each.getKey(), each.getValue());
        if (lease.owner().equals(node)) {
          if (!isLeft(lease, each.getValue().stat())) {
            return Optional.empty();
          }
          owned.add(lease);
        }
      } catch (CodecException | StoreException e) {
        return Optional.empty();
      }
    }
    return Optional.of(owned);
  }
}
