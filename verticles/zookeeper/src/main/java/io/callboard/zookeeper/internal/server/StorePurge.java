package io.callboard.zookeeper.internal.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.persistence.Util;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removal of the embedded server's snapshots and transaction logs that a restart does not need: all
 * but the newest valid snapshots and the logs that reach back to the oldest of those. ZooKeeper's
 * own purge does the same and prints to standard output, which belongs to the node's one line.
 */
public final class StorePurge implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StorePurge.class);
  private static final int SNAPSHOTS_KEPT = 3;
  private static final Duration EVERY = Duration.ofHours(1);
  private static final String SNAPSHOT = "snapshot";
  private static final String LOG = "log";

  private final Path directory;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "callboard-zookeeper-files");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Creates a purge of one server's files.
   *
   * @param directory of the server's data
   */
  public StorePurge(Path directory) {
    this.directory = directory;
  }

  /** Purges now and every hour. */
  public void start() {
    var unused =
        timer.scheduleWithFixedDelay(this::look, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      remove();
    } catch (IOException | RuntimeException e) {
      log.warn(
          "old files of ZooKeeper in {} could not be removed; the next purge tries again",
          directory,
          e);
    }
  }

  /** Removes the files that a start does not need. */
  void remove() throws IOException {
    File data = directory.toFile();
    FileTxnSnapLog files = new FileTxnSnapLog(data, data);
    try {
      List<File> kept = files.findNValidSnapshots(SNAPSHOTS_KEPT);
      if (kept.size() < SNAPSHOTS_KEPT) {
        return;
      }
      long oldest = Util.getZxidFromName(kept.get(kept.size() - 1).getName(), SNAPSHOT);
      Set<String> needed = new HashSet<>();
      kept.forEach(file -> needed.add(file.getName()));
      Arrays.stream(files.getSnapshotLogs(oldest)).forEach(file -> needed.add(file.getName()));
      File[] all = kept.get(0).getParentFile().listFiles();
      if (all != null) {
        for (File file : all) {
          if (isOlder(file.getName(), oldest) && !needed.contains(file.getName())) {
            Files.deleteIfExists(file.toPath());
            log.debug("removed {}", file);
          }
        }
      }
    } finally {
      files.close();
    }
  }

  private static boolean isOlder(String name, long zxid) {
    long snapshot = Util.getZxidFromName(name, SNAPSHOT);
    long logged = Util.getZxidFromName(name, LOG);
    return (snapshot >= 0 && snapshot < zxid) || (logged >= 0 && logged < zxid);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
