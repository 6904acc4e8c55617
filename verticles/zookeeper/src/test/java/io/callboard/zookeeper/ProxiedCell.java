package io.callboard.zookeeper;

import io.callboard.store.BlobKey;
import io.callboard.store.Store;
import io.callboard.testkit.tck.TckCell;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;

/** Each store is connected through a proxy of its own. */
final class ProxiedCell implements TckCell {
  private final EmbeddedZooKeeper server;
  private final String name;
  private final int mailboxLimit;
  private final Map<Store, CommitProxy> proxies = new HashMap<>();

  ProxiedCell(EmbeddedZooKeeper server, String name, int mailboxLimit) {
    this.server = server;
    this.name = name;
    this.mailboxLimit = mailboxLimit;
  }

  @Override
  public Store newStore() {
    try {
      CommitProxy proxy = new CommitProxy(server.port());
      Store store =
          new ZooKeeperStore(
              new ZooKeeperOptions(
                  proxy.connectString(), name, Duration.ofSeconds(6), Duration.ofSeconds(10)),
              mailboxLimit);
      proxies.put(store, proxy);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void loseNext(Store store, Loss loss) {
    proxies.get(store).loseNext(loss);
  }

  @Override
  public void expire(Store store) {
    server.expire(((ZooKeeperStore) store).sessionId());
  }

  @Override
  public void loseBlob(BlobKey key) {
    Layout layout = new Layout("/callboard/" + name, CellFormat.DEFAULT_PARTITIONS);
    try (ZooKeeper raw = RawClient.connect(server.connectString())) {
      ZKUtil.deleteRecursive(raw, layout.blob(key.receiver(), key.blob().id()));
    } catch (IOException | KeeperException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int blobs() {
    try (ZooKeeper raw = RawClient.connect(server.connectString())) {
      int blobs = 0;
      String top = "/callboard/" + name + "/b";
      for (String partition : raw.getChildren(top, false)) {
        blobs += raw.getChildren(top + "/" + partition, false).size();
      }
      return blobs;
    } catch (IOException | KeeperException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    for (CommitProxy proxy : proxies.values()) {
      try {
        proxy.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
