package io.callboard.zookeeper.internal.session;

import io.callboard.store.StoreException;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.callboard.zookeeper.internal.client.BlockingReads;
import io.callboard.zookeeper.internal.client.Connection;
import io.callboard.zookeeper.internal.client.Handle;
import io.callboard.zookeeper.internal.layout.CellFormat;
import io.callboard.zookeeper.internal.layout.Layout;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;

/** Connection to a cell without a membership, for an operator's command. Blocks. */
public final class CellConnection {
  private CellConnection() {}

  /**
   * Connects, and closes the connection when {@code work} is done.
   *
   * @throws StoreException with one clear line if there is no connection or no access
   */
  public static <T> T of(ZooKeeperOptions cell, Function<BlockingReads, T> work) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "callboard-visit");
              thread.setDaemon(true);
              return thread;
            });
    Connection connection =
        new Connection(
            cell,
            timer,
            new Connection.Events() {
              @Override
              public void connected() {}

              @Override
              public void disconnected() {}

              @Override
              public void expired() {}
            });
    try {
      var up = BlockingReads.on(connection.connect().map(true));
      return work.apply(new BlockingReads(connection.handle()));
    } finally {
      var closed = BlockingReads.on(connection.close().map(true));
    }
  }

  /**
   * Returns the format of the cell, as of now.
   *
   * @throws StoreException if there is no cell
   */
  public static CellFormat format(BlockingReads blockingReads, ZooKeeperOptions cell) {
    Layout layout = new Layout(cell.root(), CellFormat.DEFAULT_PARTITIONS);
    var synced = BlockingReads.on(blockingReads.handle().sync(layout.root()).map(true));
    String what = "znode " + layout.format();
    Handle.Node node =
        BlockingReads.on(blockingReads.handle().get(layout.format()))
            .orElseThrow(
                () ->
                    StoreException.corrupt(
                        "there is no cell at this address: %s is missing".formatted(what)));
    return CellFormat.decode(what, node.data());
  }
}
