package io.callboard.zookeeper;

import io.callboard.store.Limits;
import io.callboard.testkit.tck.LargeMessageTck;
import io.callboard.testkit.tck.TckCell;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

@Tag("real")
class ZooKeeperLargeMessageTest extends LargeMessageTck {
  private static final AtomicInteger CELLS = new AtomicInteger();
  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("large");

  @Override
  protected TckCell newCell() {
    return new ProxiedCell(server, "cell-" + CELLS.incrementAndGet(), Limits.MAILBOX_MESSAGES);
  }
}
