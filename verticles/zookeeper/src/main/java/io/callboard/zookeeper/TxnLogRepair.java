package io.callboard.zookeeper;

import io.callboard.zookeeper.internal.server.SnapshotScan;
import io.callboard.zookeeper.internal.server.StoreFiles;
import io.callboard.zookeeper.internal.server.TxnLogScan;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Repair of an embedded server whose transaction log is damaged: the log is cut before the damage,
 * and newer files are moved aside. The server must be stopped.
 */
public final class TxnLogRepair {
  private final Path store;
  private final Optional<TxnLogScan> damaged;
  private final List<Path> newer;
  private final long lost;
  private final boolean possible;
  private final long end;

  private TxnLogRepair(
      Path store,
      Optional<TxnLogScan> damaged,
      List<Path> newer,
      long lost,
      boolean possible,
      long end) {
    this.end = end;
    this.store = store;
    this.damaged = damaged;
    this.newer = newer;
    this.lost = lost;
    this.possible = possible;
  }

  /**
   * Looks at every record that a start reads; changes nothing.
   *
   * @param store the directory that the server was given
   */
  public static TxnLogRepair plan(Path store) throws IOException {
    StoreFiles files = StoreFiles.of(store);
    List<SnapshotScan> snapshots = SnapshotScan.readable(files.snapshots());
    Optional<SnapshotScan> base = snapshots.stream().findFirst();
    Optional<TxnLogScan> first = damaged(files, base);
    while (first.isPresent()) {
      // with an older snapshot, older logs are read, too
      base = base(files, snapshots, end(files, first.get()));
      Optional<TxnLogScan> older = damaged(files, base);
      if (older.map(TxnLogScan::file).equals(first.map(TxnLogScan::file))) {
        break;
      }
      first = older;
    }
    if (first.isEmpty()) {
      return new TxnLogRepair(store, first, List.of(), 0, true, 0);
    }
    TxnLogScan damaged = first.get();
    long end = end(files, damaged);
    long lost = damaged.behind();
    List<Path> newer = new ArrayList<>(files.logs());
    newer.subList(0, newer.indexOf(damaged.file()) + 1).clear();
    for (Path log : newer) {
      TxnLogScan scan = TxnLogScan.of(log);
      lost += scan.behind() + Math.max(0, scan.last() - StoreFiles.zxid(log, StoreFiles.LOG) + 1);
    }
    List<Path> kept =
        snapshots.stream().filter(each -> each.leadsTo(end)).map(SnapshotScan::file).toList();
    files.snapshots().stream().filter(each -> !kept.contains(each)).forEach(newer::add);
    return new TxnLogRepair(store, first, newer, lost, base.isPresent(), end);
  }

  /**
   * Returns the first damage in what a server reads with that snapshot, or without one in any log.
   */
  private static Optional<TxnLogScan> damaged(StoreFiles files, Optional<SnapshotScan> base)
      throws IOException {
    for (Path log : files.logsFrom(base.map(SnapshotScan::begun).orElse(0L))) {
      TxnLogScan scan = TxnLogScan.of(log);
      if (scan.isDamaged()) {
        return Optional.of(scan);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the newest snapshot that becomes a state with a log that ends there, and whose log is
   * there.
   */
  private static Optional<SnapshotScan> base(
      StoreFiles files, List<SnapshotScan> snapshots, long end) {
    return snapshots.stream()
        .filter(each -> each.leadsTo(end))
        .filter(
            each ->
                files.logsFrom(each.begun()).stream()
                    .findFirst()
                    .filter(log -> StoreFiles.zxid(log, StoreFiles.LOG) <= each.begun() + 1)
                    .isPresent())
        .findFirst();
  }

  /** Returns the last transaction before the damage; a log that holds none begins behind it. */
  private static long end(StoreFiles files, TxnLogScan damaged) {
    return damaged.last() != 0
        ? damaged.last()
        : StoreFiles.zxid(damaged.file(), StoreFiles.LOG) - 1;
  }

  /** Returns whether there is anything to repair. */
  public boolean isNeeded() {
    return damaged.isPresent();
  }

  /**
   * Returns whether a cut log would be of use: there is a snapshot that was written before the
   * damage.
   */
  public boolean isPossible() {
    return possible;
  }

  /** Returns a description of the damage and its place; empty if there is none. */
  public String damage() {
    return damaged.map(scan -> scan.file() + ": " + scan.damage().orElse("")).orElse("");
  }

  /** Returns the last transaction that is kept. */
  public long last() {
    return end;
  }

  /** Returns the time of that transaction; the epoch if there is no damage. */
  public Instant lastAt() {
    return damaged.map(TxnLogScan::lastAt).orElse(Instant.EPOCH);
  }

  /** Transactions behind the damage that can still be read, and are lost by the cut. */
  public long lost() {
    return lost;
  }

  /**
   * Cuts the log before the damage; the part that is cut off and newer files stay beside the store.
   *
   * @return where that is
   */
  public Path cut() throws IOException {
    TxnLogScan scan =
        damaged.orElseThrow(
            () ->
                new IOException(
                    "the store holds no damaged transaction log: there is nothing to cut"));
    Path aside = store.resolve("damaged-%x".formatted(end));
    Files.createDirectories(aside);
    Files.copy(scan.file(), aside.resolve(scan.file().getFileName()));
    for (Path file : newer) {
      Path unused = Files.move(file, aside.resolve(file.getFileName()));
    }
    try (FileChannel log = FileChannel.open(scan.file(), StandardOpenOption.WRITE)) {
      log.truncate(scan.wholeBytes()).force(true);
    }
    return aside;
  }
}
