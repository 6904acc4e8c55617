package io.callboard.zookeeper.fsck;

import io.callboard.codecs.Partition;
import io.callboard.store.StoreException;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.fsck.FsckFinding.Outcome;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import io.callboard.zookeeper.internal.session.CellConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;

/**
 * Check of a cell: finds znodes that nothing refers to any more, and deletes them on request. Nodes
 * may run meanwhile: a suspicious znode is read again as of one moment, and a deletion is one multi
 * with a check of the partition's lease and of the versions that were seen. It needs no membership.
 *
 * <p>Only znodes that hold neither state nor mail are deleted, and bodies that no message named
 * within an hour; the rest is reported. Names that are not Callboard's, and damaged znodes that
 * nodes must read, are reported, too, and never deleted.
 */
public final class Fsck {
  private static final Duration TO_SETTLE = Duration.ofMinutes(1);
  private static final Duration TO_NAME = Duration.ofHours(1);
  private static final int ATTEMPTS = 5;

  private final BlockingReads cell;
  private final Layout layout;
  private final FsckOptions options;
  private final Clock clock;

  private Fsck(BlockingReads cell, Layout layout, FsckOptions options, Clock clock) {
    this.cell = cell;
    this.layout = layout;
    this.options = options;
    this.clock = clock;
  }

  /**
   * Checks a cell; blocks, for as long as reading all names of the cell, and what its nodes and
   * actors need to start, takes.
   *
   * @param clock as that of the servers, give or take a minute
   * @throws StoreException with one clear line: no connection, no access, no cell there, or one of
   *     a newer format
   */
  public static List<FsckFinding> run(ZooKeeperOptions cell, FsckOptions options, Clock clock) {
    return CellConnection.of(
        cell,
        blockingReads ->
            new Fsck(blockingReads, open(blockingReads, cell, options), options, clock).run());
  }

  private static Layout open(
      BlockingReads blockingReads, ZooKeeperOptions cell, FsckOptions options) {
    CellFormat format = CellConnection.format(blockingReads, cell);
    if (options.fix() && format.f() > CellFormat.FORMAT) {
      throw StoreException.corrupt(
          "the cell has format %d of a newer version: repair it with the fsck of that version"
              .formatted(format.f()));
    }
    return new Layout(cell.root(), format.partitions());
  }

  private List<FsckFinding> run() {
    CellNames names = new CellNames(cell, layout);
    names.read();
    Instant now = clock.instant();
    List<FsckFinding> findings = new ArrayList<>();
    report(names.unknown(), findings);
    report(UnreadableZnodes.of(cell, names), findings);
    names.partitions().forEach(partition -> run(partition, now, findings));
    Instant settled = now.minus(TO_SETTLE);
    Instant seenBefore = now.minus(options.forgottenAfter());
    names
        .suspectPartitions()
        .forEach(p -> judge(new SuspectPartition(layout, p, settled), findings));
    names
        .nodes()
        .forEach(
            n ->
                judge(
                    new SuspectNode(layout, n, now, seenBefore, options.forgetNodes()), findings));
    return findings;
  }

  private void run(Partition partition, Instant now, List<FsckFinding> findings) {
    PartitionNames names = new PartitionNames(cell, layout, partition);
    names.read();
    report(names.unknown(), findings);
    report(UnreadableZnodes.of(cell, names), findings);
    Instant settled = now.minus(TO_SETTLE);
    names.suspectActors().forEach(a -> judge(new SuspectActor(layout, a, settled), findings));
    names.failuresKept().forEach(a -> judge(new SuspectFailures(layout, a), findings));
    Instant named = now.minus(TO_NAME);
    names.blobs().forEach((a, blobs) -> judge(new SuspectBlobs(layout, a, blobs, named), findings));
  }

  private static void report(List<Anomaly> orphans, List<FsckFinding> findings) {
    orphans.forEach(anomaly -> findings.add(anomaly.finding(Outcome.REPORTED)));
  }

  private void judge(Anomaly.Suspect suspect, List<FsckFinding> findings) {
    judge(suspect).ifPresent(findings::add);
  }

  private Optional<FsckFinding> judge(Anomaly.Suspect suspect) {
    Optional<Anomaly> orphan = suspect.examine(cell);
    for (int attempt = 1; orphan.isPresent(); attempt++) {
      if (orphan.get().repair().isEmpty()) {
        return Optional.of(orphan.get().finding(Outcome.REPORTED));
      } else if (!options.fix()) {
        return Optional.of(orphan.get().finding(Outcome.LISTED));
      } else if (repair(orphan.get())) {
        return Optional.of(orphan.get().finding(Outcome.FIXED));
      } else if (attempt == ATTEMPTS) {
        return Optional.of(orphan.get().finding(Outcome.BUSY));
      }
      orphan = suspect.examine(cell);
    }
    return Optional.empty();
  }

  private boolean repair(Anomaly anomaly) {
    for (List<Op> multi : anomaly.repair()) {
      if (!cell.multi(multi)) {
        return false;
      }
    }
    return true;
  }
}
