package io.callboard.internal.durable;

import io.callboard.internal.context.NodeContext;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the histories of this node's durable actors in the store, behind everything else: few at a
 * time, one write of an actor at a time, the newest wins. On the durable context.
 */
public final class HistoryWriter {
  /** Histories that are written at the same time. */
  static final int AT_ONCE = 8;

  private static final Logger log = LoggerFactory.getLogger(HistoryWriter.class);

  private final NodeContext node;
  private final Set<StoredHistory> waiting = new LinkedHashSet<>();
  private final Set<StoredHistory> underWay = new LinkedHashSet<>();
  private boolean told;
  private boolean closed;

  public HistoryWriter(NodeContext node) {
    this.node = node;
  }

  /** It has changed. */
  void write(StoredHistory history) {
    history.changes();
    again(history);
  }

  /** What could not be kept before is tried once more. */
  void again(StoredHistory history) {
    if (history.isChanged() && !closed && waiting.add(history)) {
      goOn();
    }
  }

  /** Nothing more is written. */
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
      told = false;
    } else if (!told && !closed) {
      told = true;
      log.warn(
          "the failures of {} could not be kept in the store, and maybe those of others; they are in"
              + " memory, and it is tried again with its next failure: {}",
          history.path(),
          done.cause().toString());
    }
    goOn();
  }
}
