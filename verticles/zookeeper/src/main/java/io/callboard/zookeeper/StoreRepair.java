package io.callboard.zookeeper;

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
 * What it takes to start an embedded server again whose transaction log is damaged: the log is cut
 * before the damage, and what is newer is moved aside. The server must be stopped.
 */
public final class StoreRepair {
  private final Path store;
  private final Optional<LogScan> damaged;
  private final List<Path> newer;
  private final long lost;
  private final boolean possible;
  private final long end;

  private StoreRepair(
      Path store,
      Optional<LogScan> damaged,
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
   * Looks at every record; changes nothing.
   *
   * @param store the directory that the server was given
   */
  public static StoreRepair plan(Path store) throws IOException {
    StoreFiles files = StoreFiles.of(store);
    LogScan first = null;
    List<Path> newer = new ArrayList<>();
    long lost = 0;
    for (Path log : files.logs()) {
      LogScan scan = LogScan.of(log);
      if (first != null) {
        newer.add(log);
        lost += scan.behind() + Math.max(0, scan.last() - StoreFiles.zxid(log, StoreFiles.LOG) + 1);
      } else if (scan.isDamaged()) {
        first = scan;
        lost = scan.behind();
      }
    }
    if (first == null) {
      return new StoreRepair(store, Optional.empty(), List.of(), 0, true, 0);
    }
    long end = end(files, first);
    boolean possible = files.snapshots().isEmpty() && StoreFiles.zxid(first.file(), "log") <= 1;
    for (Path snapshot : files.snapshots()) {
      if (StoreFiles.zxid(snapshot, StoreFiles.SNAPSHOT) > end) {
        newer.add(snapshot);
      } else {
        possible = true;
      }
    }
    return new StoreRepair(store, Optional.of(first), newer, lost, possible, end);
  }

  /** The last transaction before the damage; a log that holds none begins behind it. */
  private static long end(StoreFiles files, LogScan damaged) {
    return damaged.last() != 0
        ? damaged.last()
        : StoreFiles.zxid(damaged.file(), StoreFiles.LOG) - 1;
  }

  /** Whether there is anything to repair. */
  public boolean isNeeded() {
    return damaged.isPresent();
  }

  /** Whether a cut log would be of use: all that was before the damage is there. */
  public boolean isPossible() {
    return possible;
  }

  /** Where the damage is, in words. */
  public String damage() {
    return damaged.map(scan -> scan.file() + ": " + scan.damage().orElse("")).orElse("");
  }

  /** The last transaction that is kept. */
  public long last() {
    return end;
  }

  /** When that was made. */
  public Instant lastAt() {
    return damaged.map(LogScan::lastAt).orElse(Instant.EPOCH);
  }

  /** Transactions behind the damage that can still be read, and are lost by the cut. */
  public long lost() {
    return lost;
  }

  /**
   * Cuts; what is cut off and what is newer stays beside the store.
   *
   * @return where that is
   */
  public Path cut() throws IOException {
    LogScan scan = damaged.orElseThrow(() -> new IOException("nothing is damaged"));
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
