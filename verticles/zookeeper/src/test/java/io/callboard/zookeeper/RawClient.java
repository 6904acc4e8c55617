package io.callboard.zookeeper;

import io.callboard.testkit.Waits;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** A plain client, to look at znodes and to damage them. */
public final class RawClient {
  private RawClient() {}

  /** Waits until it is connected. */
  public static ZooKeeper connect(String servers) throws IOException, InterruptedException {
    CountDownLatch up = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            servers,
            10_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                up.countDown();
              }
            });
    try {
      Waits.opened(up);
    } catch (AssertionError e) {
      client.close();
      throw e;
    }
    return client;
  }
}
