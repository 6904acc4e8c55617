package io.callboard.zookeeper;

import io.callboard.store.StoreException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;

/** A connection to a cell without a membership, for an operator's command. Blocks. */
final class CellVisit {
  private CellVisit() {}

  /**
   * Connects, and closes the connection when {@code work} is done.
   *
   * @throws StoreException with one clear line if there is no connection or no access
   */
  static <T> T of(ZooKeeperOptions cell, Function<Waiting, T> work) {
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
      var up = Waiting.on(connection.connect().map(true));
      return work.apply(new Waiting(connection.handle()));
    } finally {
      var closed = Waiting.on(connection.close().map(true));
    }
  }

  /**
   * The format of the cell, as of now.
   *
   * @throws StoreException if there is no cell
   */
  static CellFormat format(Waiting waiting, ZooKeeperOptions cell) {
    Layout layout = new Layout(cell.root(), CellFormat.DEFAULT_PARTITIONS);
    var synced = Waiting.on(waiting.handle().sync(layout.root()).map(true));
    String what = "znode " + layout.format();
    Handle.Node node =
        Waiting.on(waiting.handle().get(layout.format()))
            .orElseThrow(
                () ->
                    StoreException.corrupt("there is no cell here, %s is missing".formatted(what)));
    return CellFormat.decode(what, node.data());
  }
}
