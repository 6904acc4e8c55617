package io.callboard.zookeeper.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.callboard.store.StoreException;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probe that detects that an unreachable ensemble has lost transactions that this node has seen,
 * because an older copy was restored. Its servers then refuse this node's client, as if they were
 * merely slow, and the client tries again for ever; a client that has seen nothing is let in, and
 * reads how far they are. Has a thread of its own, which waits for them.
 */
public final class RollbackProbe implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RollbackProbe.class);
  private static final int LOOKS_A_SESSION = 4;

  private final ZooKeeperOptions options;
  private final String root;
  private final Supplier<Optional<Handle>> present;
  private final Consumer<StoreException> found;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "callboard-rollback");
            made.setDaemon(true);
            return made;
          });
  private long reached; // used by this thread only
  private boolean wasAway;

  /**
   * Creates a probe; {@link #start} starts it.
   *
   * @param root a znode to ask about
   * @param present the node's handle, if it has one
   * @param found called when the ensemble has gone back
   */
  public RollbackProbe(
      ZooKeeperOptions options,
      String root,
      Supplier<Optional<Handle>> present,
      Consumer<StoreException> found) {
    this.options = options;
    this.root = root;
    this.present = present;
    this.found = found;
  }

  /** Starts looking at the connection, several times in each session timeout. */
  public void start(Duration session) {
    long everyMs = Math.max(1, session.toMillis() / LOOKS_A_SESSION);
    var unused = thread.scheduleWithFixedDelay(() -> look(session), everyMs, everyMs, MILLISECONDS);
  }

  /**
   * Compares only when the ensemble was unreachable at the previous check, too: most connections
   * are back by then.
   */
  private void look(Duration session) {
    try {
      Optional<Handle> now = present.get();
      now.ifPresent(handle -> reached = Math.max(reached, handle.lastZxid()));
      boolean away = now.filter(handle -> !handle.isConnected()).isPresent();
      if (away && wasAway) {
        ask(session);
      }
      wasAway = away;
    } catch (RuntimeException | Error e) { // a thrown one would end the looks
      log.warn("the connection to {} could not be checked; the next check follows", root, e);
    }
  }

  private void ask(Duration session) {
    CompletableFuture<Void> up = new CompletableFuture<>();
    Handle probe = null;
    try {
      probe =
          new Handle(
              options,
              event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                  up.complete(null);
                }
              });
      long limitMs = session.toMillis();
      up.get(limitMs, MILLISECONDS);
      probe.sync(root).toCompletionStage().toCompletableFuture().get(limitMs, MILLISECONDS);
      compare(probe.lastZxid());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException | RuntimeException e) {
      log.debug("the last transaction of {} could not be read", options.ensemble(), e);
    } finally {
      if (probe != null) {
        Connection.end(probe);
      }
    }
  }

  private void compare(long zxid) {
    if (zxid < reached) {
      found.accept(
          StoreException.wentBack(
              "the store went back: %s is at transaction 0x%x, this node has seen 0x%x; was an older copy restored?"
                  .formatted(options.ensemble(), zxid, reached)));
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
