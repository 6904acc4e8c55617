package io.callboard.node.internal.data;

import io.callboard.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Record in the data directory of how far the embedded ZooKeeper's store goes: written once it
 * serves, each half minute and at the stop. A store that later ends before that has lost files,
 * which would otherwise go unnoticed.
 */
public final class StoreMark implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StoreMark.class);
  private static final long EVERY_SECONDS = 30;

  private final DataDirectory data;
  private final EmbeddedZooKeeper server;
  private final ScheduledExecutorService timer;
  private long noted = -1;

  private StoreMark(DataDirectory data, EmbeddedZooKeeper server) {
    this.data = data;
    this.server = server;
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "callboard-store-mark");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Writes the record now, so that a start fails where that is not possible, and from now on
   * periodically.
   */
  public static StoreMark keep(DataDirectory data, EmbeddedZooKeeper server) throws IOException {
    StoreMark mark = new StoreMark(data, server);
    mark.note();
    var unused =
        mark.timer.scheduleWithFixedDelay(
            mark::noteOrWarn, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
    return mark;
  }

  private void noteOrWarn() {
    try {
      note();
    } catch (IOException e) {
      log.warn(
          "the last transaction of the embedded ZooKeeper cannot be recorded in {}: files lost from its store may not be noticed at the next start",
          data.path(),
          e);
    }
  }

  private synchronized void note() throws IOException {
    long zxid = server.zxid();
    if (zxid != noted) {
      data.zookeeperReached(zxid);
      noted = zxid;
    }
  }

  @Override
  public void close() throws IOException {
    timer.shutdown();
    note();
  }
}
