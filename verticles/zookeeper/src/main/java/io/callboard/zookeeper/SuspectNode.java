package io.callboard.zookeeper;

import io.callboard.zookeeper.Finding.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/**
 * A node that may be forgotten: no member, no owner, and long not seen.
 *
 * @param seenBefore what it did must be older
 * @param forget whether it may be deleted
 */
record SuspectNode(Layout layout, String node, Instant seenBefore, boolean forget)
    implements Orphan.Suspect {

  @Override
  public Optional<Orphan> examine(Waiting cell) {
    String member = layout.member(node);
    Map<String, Stat> left = cell.stats(List.of(layout.incarnation(node), layout.commits(node)));
    long seen = left.values().stream().mapToLong(Stat::getMtime).max().orElse(Long.MAX_VALUE);
    if (left.isEmpty()
        || !Instant.ofEpochMilli(seen).isBefore(seenBefore)
        || !cell.stats(List.of(member)).isEmpty()
        || owns(cell)) {
      return Optional.empty();
    }
    String path = left.keySet().iterator().next();
    String what = "node %s was last seen at %s".formatted(node, Instant.ofEpochMilli(seen));
    if (!forget) {
      return Optional.of(
          Orphan.reported(
              Kind.FORGOTTEN_NODE, path, what, "none unless nodes are to be forgotten"));
    }
    // a node that comes back is a member and has another incarnation before it claims anything
    List<Op> repair = new ArrayList<>(Orphan.absent(member, cell.handle().acl()));
    left.forEach((znode, stat) -> repair.add(Op.delete(znode, stat.getVersion())));
    return Optional.of(
        new Orphan(
            Kind.FORGOTTEN_NODE,
            path,
            what,
            "delete its incarnation and commit number",
            List.of(repair)));
  }

  private boolean owns(Waiting cell) {
    String top = layout.top("o");
    List<String> paths = cell.children(top).stream().map(name -> top + "/" + name).toList();
    return Waiting.on(Reads.small(cell.handle(), paths)).entrySet().stream()
        .filter(entry -> CellNames.isPartition(layout, Reads.name(entry.getKey())))
        .anyMatch(
            entry ->
                Reader.StoredLease.decode(entry.getKey(), entry.getValue()).owner().equals(node));
  }
}
