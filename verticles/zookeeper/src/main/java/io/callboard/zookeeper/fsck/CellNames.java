package io.callboard.zookeeper.fsck;

import io.callboard.codecs.Partition;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.client.BulkReads;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.session.NodeName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Names in a cell above those of its actors ({@link PartitionNames}), without the znodes of Vert.x.
 * Not of one moment: a suspicious name must be read again.
 */
final class CellNames {
  private static final Set<String> BESIDE_TOP = Set.of("fmt", "vertx");

  private final Layout layout;
  private final KnownNames names;
  private final Map<String, List<String>> read = new TreeMap<>();
  private final Set<Partition> partitions = new TreeSet<>();
  private final Set<Partition> owned = new TreeSet<>();
  private final Set<String> nodes = new TreeSet<>();

  CellNames(BlockingReads cell, Layout layout) {
    this.layout = layout;
    this.names = new KnownNames(cell);
  }

  /** Reads all names. */
  void read() {
    var tops =
        names.known(layout.root(), name -> Layout.TOP.contains(name) || BESIDE_TOP.contains(name));
    for (String top : List.of("h", "i", "s")) {
      List<String> paths = names.known(layout.top(top), NodeName::isValid);
      read.put(top, names.leaves(paths));
      if (!top.equals("h")) {
        paths.forEach(path -> nodes.add(BulkReads.name(path)));
      }
    }
    List<String> leases = names.known(layout.top("o"), layout::isPartition);
    leases.forEach(path -> owned.add(Partition.parse(BulkReads.name(path))));
    read.put("o", names.leaves(leases));
    for (String top : PartitionNames.TOPS) {
      names
          .known(layout.top(top), layout::isPartition)
          .forEach(path -> partitions.add(Partition.parse(BulkReads.name(path))));
    }
  }

  List<Anomaly> unknown() {
    return names.unknown();
  }

  /**
   * Returns the paths of the known znodes below one of {@link Layout#TOP} that holds no partitions.
   */
  List<String> below(String top) {
    return read.getOrDefault(top, List.of());
  }

  /** Returns the partitions that have parents. */
  Set<Partition> partitions() {
    return partitions;
  }

  /** Returns the partitions that have parents but no lease. */
  List<Partition> suspectPartitions() {
    return partitions.stream().filter(partition -> !owned.contains(partition)).toList();
  }

  /** Returns all nodes that were ever members. */
  Set<String> nodes() {
    return nodes;
  }
}
