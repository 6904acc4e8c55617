package io.callboard.zookeeper.internal.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.zip.CheckedInputStream;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.InputArchive;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.DataTree.ZxidDigest;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.SnapStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Range of transactions in one snapshot of an embedded server, read without a server.
 *
 * <p>A server applies transactions while it writes a snapshot, which has some of their changes and
 * not others: only with the log of that time it is a state.
 *
 * @param begun the last transaction that all of it has, after which it is named
 * @param written the last transaction that was applied when it was written; part of the next one
 *     may be in it
 * @param exact whether it is known to be the state as of {@code written}, with nothing of the next
 */
public record SnapshotScan(Path file, long begun, long written, boolean exact) {
  private static final Logger log = LoggerFactory.getLogger(SnapshotScan.class);

  /** Snapshots that can be read, in the same order; a server skips the others, too. */
  public static List<SnapshotScan> readable(List<Path> files) {
    List<SnapshotScan> scans = new ArrayList<>();
    for (Path file : files) {
      try {
        scans.add(of(file));
      } catch (IOException | RuntimeException e) {
        log.warn("the snapshot {} cannot be read: {}", file, e.toString());
      }
    }
    return scans;
  }

  /**
   * Reads a snapshot.
   *
   * @throws IOException if it is damaged
   */
  static SnapshotScan of(Path file) throws IOException {
    long begun = StoreFiles.zxid(file, StoreFiles.SNAPSHOT);
    DataTree tree = new DataTree();
    try (CheckedInputStream in = SnapStream.getInputStream(file.toFile())) {
      InputArchive archive = BinaryInputArchive.getArchive(in);
      FileSnap.deserialize(tree, new HashMap<>(), archive);
      SnapStream.checkSealIntegrity(in, archive);
      boolean digested = tree.deserializeZxidDigest(archive, begun);
      if (digested) {
        SnapStream.checkSealIntegrity(in, archive);
      }
      long written = Long.MAX_VALUE; // not known: it was not noted in it
      if (tree.deserializeLastProcessedZxid(archive)) {
        SnapStream.checkSealIntegrity(in, archive);
        written = tree.lastProcessedZxid;
      }
      return new SnapshotScan(file, begun, written, digested && isExact(tree, written));
    } finally {
      tree.shutdownWatcher();
    }
  }

  /**
   * Returns whether the tree is that of {@code written}, by the digest in the snapshot. A snapshot
   * without one was written at a start, before anything was applied.
   */
  private static boolean isExact(DataTree tree, long written) {
    ZxidDigest noted = tree.getDigestFromLoadedSnapshot();
    return noted == null
        || (noted.getZxid() == written && noted.getDigest() == tree.getTreeDigest());
  }

  /**
   * Returns whether the snapshot, with a log that ends at {@code end}, gives the state as of {@code
   * end}.
   */
  public boolean leadsTo(long end) {
    return written < end || (written == end && exact);
  }
}
