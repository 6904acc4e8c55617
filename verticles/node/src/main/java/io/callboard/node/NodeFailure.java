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
  private volatile boolean isStoreLost;

  NodeFailure(@Nullable Consumer<Throwable> onFailure) {
    this.onFailure = onFailure;
  }

  /** The embedded ZooKeeper has stopped by itself. */
  void zooKeeperStopped(String line) {
    isStoreLost = true;
    Level level = onFailure == null ? Level.ERROR : Level.INFO; // the handler reports it
    log.atLevel(level).log("this node closes: {}", line);
    set(new IllegalStateException(line));
  }

  /** The actors have stopped because of a failure that no supervisor could handle. */
  void actorsStopped(Throwable failure) {
    if (failure instanceof StoreLostException) {
      isStoreLost = true; // logged where it was found
    } else {
      log.error("this node closes: a failure that no supervisor could handle", failure);
    }
    set(failure);
  }

  private void set(Throwable failure) {
    Runnable action;
    synchronized (this) {
      if (cause != null) {
        return;
      }
      cause = failure;
      action = close;
    }
    if (action != null) {
      act(failure, action);
    }
  }

  private void act(Throwable failure, Runnable action) {
    try {
      if (onFailure != null) {
        onFailure.accept(failure);
      }
    } catch (RuntimeException e) {
      log.error("the handler of the node's failure failed", e);
    } finally {
      action.run();
    }
  }

  /** Sets how the node is closed, once it runs; at once if it has failed already. */
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
