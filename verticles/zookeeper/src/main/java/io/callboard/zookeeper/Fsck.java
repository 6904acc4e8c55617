package io.callboard.zookeeper;

import io.callboard.store.StoreException;
import io.callboard.zookeeper.Finding.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;

/**
 * Finds znodes of a cell that nothing refers to any more, and deletes them if asked. Nodes may run
 * meanwhile: what looks odd is looked at again as of one moment, and a deletion is one multi with a
 * check of the partition's lease and of the versions that were seen. It needs no membership.
 *
 * <p>Deleted is only what holds neither state nor mail, and bodies that no message named within an
 * hour; the rest is reported. Names that are not Callboard's, and what nodes must read and cannot,
 * are reported, too, and never deleted.
 */
public final class Fsck {
  private static final Duration TO_SETTLE = Duration.ofMinutes(1);
  private static final Duration TO_NAME = Duration.ofHours(1);
  private static final int ATTEMPTS = 5;

  private final Waiting cell;
  private final Layout layout;
  private final FsckOptions options;
  private final Clock clock;

  private Fsck(Waiting cell, Layout layout, FsckOptions options, Clock clock) {
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
  public static List<Finding> run(ZooKeeperOptions cell, FsckOptions options, Clock clock) {
    return CellVisit.of(
        cell, waiting -> new Fsck(waiting, open(waiting, cell, options), options, clock).run());
  }

  private static Layout open(Waiting waiting, ZooKeeperOptions cell, FsckOptions options) {
    CellFormat format = CellVisit.format(waiting, cell);
    if (options.fix() && format.f() > CellFormat.FORMAT) {
      throw StoreException.corrupt(
          "the cell has format %d: what a newer node wrote is mended by its own version"
              .formatted(format.f()));
    }
    return new Layout(cell.root(), format.partitions());
  }

  private List<Finding> run() {
    CellNames names = new CellNames(cell, layout);
    names.read();
    Instant now = clock.instant();
    Instant settled = now.minus(TO_SETTLE);
    Instant seenBefore = now.minus(options.forgottenAfter());
    List<Orphan.Suspect> suspects = new ArrayList<>();
    names.suspectActors().forEach(a -> suspects.add(new SuspectActor(layout, a, settled)));
    names.failuresKept().forEach(a -> suspects.add(new SuspectFailures(layout, a)));
    names
        .blobs()
        .forEach(
            (actor, blobs) ->
                suspects.add(new SuspectBlobs(layout, actor, blobs, now.minus(TO_NAME))));
    names.suspectPartitions().forEach(p -> suspects.add(new SuspectPartition(layout, p, settled)));
    names
        .nodes()
        .forEach(n -> suspects.add(new SuspectNode(layout, n, seenBefore, options.forgetNodes())));
    List<Finding> findings = new ArrayList<>();
    names.unknown().forEach(orphan -> findings.add(orphan.finding(Outcome.REPORTED)));
    new Damages(cell, names)
        .find()
        .forEach(damage -> findings.add(damage.finding(Outcome.REPORTED)));
    suspects.forEach(suspect -> judge(suspect).ifPresent(findings::add));
    return findings;
  }

  private Optional<Finding> judge(Orphan.Suspect suspect) {
    Optional<Orphan> orphan = suspect.examine(cell);
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

  private boolean repair(Orphan orphan) {
    for (List<Op> multi : orphan.repair()) {
      if (!cell.multi(multi)) {
        return false;
      }
    }
    return true;
  }
}
