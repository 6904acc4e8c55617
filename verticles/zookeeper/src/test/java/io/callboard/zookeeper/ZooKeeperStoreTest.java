package io.callboard.zookeeper;

import io.callboard.testkit.tck.StoreTck;
import io.callboard.testkit.tck.TckCell;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Contract of stores, each case in a cell of its own. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("real")
class ZooKeeperStoreTest extends StoreTck {
  private static final AtomicInteger CELLS = new AtomicInteger();
  @AutoClose private static final EmbeddedZooKeeper server = TestServers.start("store-tck");

  @Override
  protected TckCell newCell(int mailboxLimit) {
    return new ProxiedCell(server, "cell-" + CELLS.incrementAndGet(), mailboxLimit);
  }
}
