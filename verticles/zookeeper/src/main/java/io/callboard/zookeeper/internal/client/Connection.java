package io.callboard.zookeeper.internal.client;

import io.callboard.store.StoreException;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Client handle of a node: one at a time, replaced when its session has expired. */
public final class Connection {
  private static final Logger log = LoggerFactory.getLogger(Connection.class);
  private static final int CLOSE_MS = 2_000;

  private final ZooKeeperOptions options;
  private final ScheduledExecutorService timer;
  private final Events events;
  private volatile @Nullable Attempt current;
  private volatile boolean closed;

  /** Events of the connection, called on ZooKeeper's event thread. */
  public interface Events {
    /** Reports that the connection is up again. */
    void connected();

    /** Reports that the connection is lost; the session may still live. */
    void disconnected();

    /**
     * Reports that the session has ended; {@link Connection#connect} makes, or has just made,
     * another.
     */
    void expired();
  }

  /** One handle and its first connection. */
  private final class Attempt {
    private final Promise<Void> up = Promise.promise();
    private final AtomicBoolean lost = new AtomicBoolean();
    private final Handle handle = new Handle(options, this::event);

    /** Handles the end of the session; reported once. */
    private void lost() {
      if (lost.compareAndSet(false, true)) {
        events.expired();
      }
    }

    private void event(WatchedEvent event) {
      if (event.getType() != EventType.None || closed) {
        return;
      }
      switch (event.getState()) {
        case SyncConnected -> {
          if (!up.tryComplete()) {
            events.connected();
          }
        }
        case Disconnected -> events.disconnected();
        case Expired -> lost();
        case AuthFailed -> {
          String message = options.ensemble() + " refused the credentials of this node";
          var cause = new KeeperException.AuthFailedException();
          if (!up.tryFail(StoreException.denied(message, cause))) {
            log.error(message);
          }
        }
        default -> log.debug("{}", event);
      }
    }
  }

  /** Creates a connection; {@link #connect} opens it. */
  public Connection(ZooKeeperOptions options, ScheduledExecutorService timer, Events events) {
    this.options = options;
    this.timer = timer;
    this.events = events;
  }

  /** Returns the present handle; throws {@code CLOSED} if there is none. */
  public Handle handle() {
    Attempt now = current;
    if (now == null || closed) {
      throw StoreException.closed();
    }
    return now.handle;
  }

  /** Returns whether the connection was closed. */
  public boolean isClosed() {
    return closed;
  }

  /** Completes with a new handle, connected within the connect timeout, or {@code UNAVAILABLE}. */
  public synchronized Future<Void> connect() {
    if (closed) {
      return Future.failedFuture(StoreException.closed());
    }
    Attempt before = current;
    Attempt attempt = new Attempt();
    current = attempt;
    if (before != null) {
      before.lost();
      timer.execute(() -> end(before.handle));
    }
    Duration limit = options.connectTimeout();
    var late =
        timer.schedule(
            () ->
                attempt.up.tryFail(
                    StoreException.unavailable(
                        "%s cannot be reached within %d ms"
                            .formatted(options.ensemble(), limit.toMillis()),
                        new KeeperException.ConnectionLossException())),
            limit.toMillis(),
            TimeUnit.MILLISECONDS);
    return attempt.up.future().onComplete(done -> late.cancel(false));
  }

  /** Completes after {@code delay}; fails with {@code CLOSED} once this is closed. */
  public Future<Void> pause(Duration delay) {
    Promise<Void> promise = Promise.promise();
    try {
      var unused =
          timer.schedule(
              () -> {
                if (closed) {
                  promise.fail(StoreException.closed());
                } else {
                  promise.complete();
                }
              },
              delay.toMillis(),
              TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      promise.fail(StoreException.closed());
    }
    return promise.future();
  }

  /** Stops all further attempts; the handle stays until {@link #close}. */
  public void shut() {
    closed = true;
  }

  /** Ends the session, and with it the ephemeral znode. */
  public Future<Void> close() {
    Promise<Void> done = Promise.promise();
    Attempt last = beginClose(done);
    if (last != null) {
      last.up.tryFail(StoreException.closed()); // for callers that still wait for it
    }
    return done.future();
  }

  private synchronized @Nullable Attempt beginClose(Promise<Void> done) {
    closed = true;
    Attempt last = current;
    timer.execute(
        () -> {
          if (last != null) {
            end(last.handle);
          }
          done.complete();
        });
    timer.shutdown();
    return last;
  }

  /** Closes a handle; blocks until it is closed. */
  static void end(Handle handle) {
    try {
      handle.close(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.info("interrupted while closing a ZooKeeper session; it ends when its timeout expires");
    }
  }
}
