package io.callboard.node;

import io.callboard.store.StoreLostException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Failure of a node for good: the first one counts, and closes the node. Thread-safe. */
final class NodeFailure {
  private static final Logger log = LoggerFactory.getLogger(NodeFailure.class);

  private final @Nullable Consumer<Throwable> onFailure;
  private @Nullable Throwable cause;
  private @Nullable Runnable close;
  private boolean closing;
  private volatile boolean isStoreLost;

  NodeFailure(@Nullable Consumer<Throwable> onFailure) {
    this.onFailure = onFailure;
  }

  /** The embedded ZooKeeper has stopped by itself. */
  void zooKeeperStopped(String line) {
    isStoreLost = true;
    set(
        new IllegalStateException(line),
        onFailure == null ? Level.ERROR : Level.INFO); // the handler reports it
  }

  /**
   * The actors have stopped by themselves: they lost their store, or failed in a way that no
   * supervisor could handle. They have logged it.
   */
  void actorsStopped(Throwable failure) {
    if (failure instanceof StoreLostException) {
      isStoreLost = true;
    }
    set(failure, Level.DEBUG);
  }

  /** The node begins to close: what fails from now on is no reason for it any more. */
  synchronized void closing() {
    closing = true;
  }

  private void set(Throwable failure, Level level) {
    Runnable action;
    synchronized (this) {
      if (closing && cause == null) {
        log.warn("a part of this node failed while the node closed: {}", failure.toString());
      }
      if (closing || cause != null) {
        return;
      }
      cause = failure;
      action = close;
    }
    log.atLevel(level).log("this node closes: {}", failure.getMessage());
    if (action != null) {
      act(failure, action);
    }
  }

  /** Reports the failure, then closes: on a thread of its own, as both may block. */
  private void act(Throwable failure, Runnable action) {
    Thread thread = new Thread(() -> report(failure, action), "callboard-node-close");
    thread.setDaemon(true);
    thread.start();
  }

  private void report(Throwable failure, Runnable action) {
    try {
      if (onFailure != null) {
        onFailure.accept(failure);
      }
    } catch (RuntimeException | Error e) {
      log.error("the handler of the node's failure failed", e);
    } finally {
      action.run();
    }
  }

  /**
   * Sets how the node is closed, once it runs; at once if it has failed already.
   *
   * @param action closes the node; may block
   */
  void closeWith(Runnable action) {
    Throwable before;
    synchronized (this) {
      close = action;
      before = cause;
    }
    if (before != null) {
      act(before, action);
    }
  }

  synchronized Optional<Throwable> cause() {
    return Optional.ofNullable(cause);
  }

  boolean isStoreLost() {
    return isStoreLost;
  }
}
