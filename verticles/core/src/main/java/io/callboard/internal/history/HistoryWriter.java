package io.callboard.internal.history;

import io.callboard.internal.context.NodeContext;
import io.callboard.supervision.Causes;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writer of the failure histories of this node's durable actors, with low priority: few at a time,
 * one write of an actor at a time, the newest wins. Used on the durable context.
 */
public final class HistoryWriter {
  /** Limit of concurrent writes. */
  static final int AT_ONCE = 8;

  private static final Logger log = LoggerFactory.getLogger(HistoryWriter.class);

  private final NodeContext node;
  private final Set<StoredHistory> waiting = new LinkedHashSet<>();
  private final Set<StoredHistory> underWay = new LinkedHashSet<>();
  private boolean reported;
  private boolean closed;

  public HistoryWriter(NodeContext node) {
    this.node = node;
  }

  /** Writes a history that has changed. */
  public void write(StoredHistory history) {
    history.changes();
    again(history);
  }

  /** Tries a history again that could not be written before. */
  public void again(StoredHistory history) {
    if (history.isChanged() && !closed && waiting.add(history)) {
      goOn();
    }
  }

  /** Stops writing. */
  public void close() {
    closed = true;
    waiting.clear();
  }

  private void goOn() {
    Iterator<StoredHistory> next = waiting.iterator();
    while (underWay.size() < AT_ONCE && next.hasNext()) {
      StoredHistory history = next.next();
      if (underWay.add(history)) {
        next.remove();
        Future.succeededFuture()
            .compose(begun -> history.write())
            .onComplete(done -> node.onDurableContext(() -> written(history, done)));
      }
    }
  }

  private void written(StoredHistory history, AsyncResult<Void> done) {
    underWay.remove(history);
    if (done.succeeded()) {
      reported = false;
    } else if (!reported && !closed) {
      reported = true;
      log.warn(
          "the failure history of {}, and perhaps of other actors, could not be "
              + "stored; it is kept in memory and stored with the next failure of the "
              + "actor: {}",
          history.path(),
          Causes.text(done.cause()));
    }
    goOn();
  }
}
