package io.callboard.zookeeper;

import io.callboard.testkit.tck.StoreTck;
import io.callboard.testkit.tck.TckCell;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Contract of stores, each case in a cell of its own. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("real")
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
    return new ProxiedCell(server, "cell-" + CELLS.incrementAndGet(), mailboxLimit);
  }
}
