package io.callboard.zookeeper;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    if (!up.await(30, TimeUnit.SECONDS)) {
      client.close();
      throw new IOException("no connection to " + servers);
    }
    return client;
  }
}
