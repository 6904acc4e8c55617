package io.callboard.bench;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Contents and writes of a ZooKeeper server, as seen by a client of its own. */
final class Ledger implements AutoCloseable {
  private static final String MARK = "/bench-mark";
  private static final int SESSION_MS = 30_000;

  private final ZooKeeper client;

  Ledger(String servers) throws Exception {
    CountDownLatch up = new CountDownLatch(1);
    client =
        new ZooKeeper(
            servers,
            SESSION_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                up.countDown();
              }
            });
    if (!up.await(SESSION_MS, TimeUnit.MILLISECONDS)) {
      throw new IOException("no connection to " + servers);
    }
    String made = client.create(MARK, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
    Progress.say("writes are counted with " + made);
  }

  /** Returns the number of znodes of all cells. */
  int znodes() throws Exception {
    return client.getAllChildrenNumber("/callboard");
  }

  /** Transactions so far, with this one; those of the epoch of the server's leader. */
  long writes() throws Exception {
    Stat marked = client.setData(MARK, new byte[0], -1);
    return marked.getMzxid() & 0xffffffffL;
  }

  @Override
  public void close() throws InterruptedException {
    client.close();
  }
}
