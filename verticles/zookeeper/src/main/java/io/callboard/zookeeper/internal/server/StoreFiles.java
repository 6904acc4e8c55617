package io.callboard.zookeeper.internal.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.server.persistence.SnapStream;
import org.apache.zookeeper.server.persistence.Util;

/**
 * Files of an embedded server's store that the server needs to start.
 *
 * @param snapshots those that are whole, newest first
 * @param logs oldest first
 */
public record StoreFiles(Path directory, List<Path> snapshots, List<Path> logs) {
  /** Name of the directory of the transaction logs. */
  public static final String LOG = "log";

  /** Name of the directory of the snapshots. */
  public static final String SNAPSHOT = "snapshot";

  /** Directory of the files, below the one that ZooKeeper is given. */
  public static final String VERSION = "version-2";

  /**
   * @param store the directory that {@code EmbeddedZooKeeper} was given
   */
  public static StoreFiles of(Path store) throws IOException {
    Path directory = store.resolve(VERSION);
    if (!Files.isDirectory(directory)) {
      throw new IOException("there is no store of an embedded ZooKeeper in %s".formatted(store));
    }
    List<Path> snapshots = new ArrayList<>();
    for (Path snapshot : files(directory, SNAPSHOT)) {
      if (SnapStream.isValidSnapshot(snapshot.toFile())) {
        snapshots.add(0, snapshot);
      }
    }
    return new StoreFiles(directory, snapshots, files(directory, LOG));
  }

  /** Returns whether a server that starts here begins a new store. */
  public boolean isEmpty() {
    return snapshots.isEmpty() && logs.isEmpty();
  }

  private static List<Path> files(Path directory, String prefix) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> zxid(file, prefix) >= 0)
          .sorted(Comparator.comparingLong(file -> zxid(file, prefix)))
          .toList();
    }
  }

  /**
   * Returns the first transaction of a log, or the last one of a snapshot, by the name of the file;
   * -1 if it is neither.
   */
  public static long zxid(Path file, String prefix) {
    return Util.getZxidFromName(file.getFileName().toString(), prefix);
  }

  /** Returns the logs that a server reads when it starts. */
  public List<Path> logsToRead() {
    return logsFrom(snapshots.isEmpty() ? 0 : zxid(snapshots.get(0), SNAPSHOT));
  }

  /** Logs that are read after that snapshot: those behind it, and the one in which it ends. */
  public List<Path> logsFrom(long snapshot) {
    long first =
        logs.stream()
            .mapToLong(log -> zxid(log, LOG))
            .filter(zxid -> zxid <= snapshot)
            .max()
            .orElse(0);
    return logs.stream().filter(log -> zxid(log, LOG) >= first).toList();
  }
}
