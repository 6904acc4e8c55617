package io.callboard.zookeeper;

import io.callboard.store.Limits;
import io.callboard.testkit.tck.LargeMessageTck;
import io.callboard.testkit.tck.TckCell;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("real")
class ZooKeeperLargeMessageTest extends LargeMessageTck {
  private static final AtomicInteger CELLS = new AtomicInteger();
  private static EmbeddedZooKeeper server;

  @BeforeAll
  static void startServer() throws IOException {
    server = TestServers.start("large");
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected TckCell newCell() {
    return new ProxiedCell(server, "cell-" + CELLS.incrementAndGet(), Limits.MAILBOX_MESSAGES);
  }
}
