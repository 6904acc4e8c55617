package io.callboard.zookeeper;

import io.callboard.store.Store;
import io.callboard.testkit.StoreTck;
import io.callboard.testkit.TckCell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class ZooKeeperStoreTest extends StoreTck {
  private static final AtomicInteger CELLS = new AtomicInteger();
  private static EmbeddedZooKeeper server;

  @BeforeAll
  static void startServer() throws IOException {
    server = TestServers.start("store-tck");
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected TckCell newCell(int mailboxLimit) {
    return new Cell("cell-" + CELLS.incrementAndGet(), mailboxLimit);
  }

  /** Each store is connected through a proxy of its own. */
  private static final class Cell implements TckCell {
    private final String name;
    private final int mailboxLimit;
    private final Map<Store, CommitProxy> proxies = new HashMap<>();

    Cell(String name, int mailboxLimit) {
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
                    proxy.connectString(), name, Duration.ofSeconds(3), Duration.ofSeconds(10)),
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
}
