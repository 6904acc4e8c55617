package io.callboard.node.data;

import io.callboard.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes in the data directory how far the embedded ZooKeeper's store goes: once it serves, each
 * half minute and at the stop. A store that later ends before that has lost files, which nothing
 * else would notice.
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

  /** Notes it now, so that a start fails where it cannot be noted, and from now on. */
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
