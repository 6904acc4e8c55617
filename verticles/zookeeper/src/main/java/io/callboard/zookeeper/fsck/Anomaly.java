package io.callboard.zookeeper.fsck;

import io.callboard.zookeeper.fsck.FsckFinding.Kind;
import io.callboard.zookeeper.fsck.FsckFinding.Outcome;
import io.callboard.zookeeper.internal.client.BlockingReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.ACL;

/**
 * An unexpected znode, as seen at one moment, with its repair.
 *
 * @param repair multis, in order, each of which holds only while nothing that was seen changes;
 *     empty if an operator must decide
 */
record Anomaly(Kind kind, String path, String what, String action, List<List<Op>> repair) {

  /** Znodes that may be an anomaly. */
  interface Suspect {
    /** Examines them as of now. */
    Optional<Anomaly> examine(BlockingReads cell);
  }

  /** Returns an anomaly that is only reported and never deleted. */
  static Anomaly reported(Kind kind, String path, String what, String action) {
    return new Anomaly(kind, path, what, action, List.of());
  }

  FsckFinding finding(Outcome outcome) {
    return new FsckFinding(path, kind, what, action, outcome);
  }

  /**
   * Operations that succeed only if {@code path} does not exist, and leave nothing: a multi has no
   * check for that.
   */
  static List<Op> absent(String path, List<ACL> acl) {
    return List.of(Op.create(path, new byte[0], acl, CreateMode.PERSISTENT), Op.delete(path, 0));
  }

  /** Joins several parts to the operations of one multi. */
  @SafeVarargs
  static List<Op> together(List<Op>... parts) {
    List<Op> all = new ArrayList<>();
    for (List<Op> part : parts) {
      all.addAll(part);
    }
    return all;
  }
}
