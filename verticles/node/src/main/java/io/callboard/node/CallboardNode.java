package io.callboard.node;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Callboard;
import io.callboard.grid.Grid;
import io.callboard.part.NodePart;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Node of an embedding application: a Vert.x with its {@link Callboard} and {@link Grid}, and what
 * they stand on. Starting and closing block, for a bounded time; the other methods return at once
 * and may be called from any thread.
 *
 * <p>A node that fails for good (a failure that no supervisor could handle, a store that no longer
 * serves it, an embedded ZooKeeper whose disk is full) closes by itself, and {@link #closed()}
 * fails. The process goes on; to end it, too:
 *
 * <pre>{@code
 * node.closed().onFailure(failure -> System.exit(1));
 * }</pre>
 */
public final class CallboardNode implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CallboardNode.class);

  /** For parts that have a second each after the limit of a close. */
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private final String name;
  private final Duration closeTimeout;
  private final CloseStack parts;
  private final NodeFailure failure;
  private final NodeOpening opened;
  private final Promise<Void> closed = Promise.promise();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);
  private volatile @Nullable Thread closer;
  private volatile @Nullable Thread hook;

  private CallboardNode(NodeOptions options, NodeOpening opened) {
    this.name = opened.name();
    this.closeTimeout = options.closeTimeout();
    this.parts = opened.parts();
    this.failure = opened.failure();
    this.opened = opened;
  }

  /**
   * Starts a node; blocks until it runs. What was started is closed again if something fails.
   *
   * @throws NodeStartException if the node cannot be started, with one line that says what to do
   * @throws IllegalArgumentException if options do not fit together
   * @throws IllegalStateException on an event loop
   */
  public static CallboardNode start(NodeOptions options) {
    return start(options, new StartRetry(options.startTimeout(), System.nanoTime()));
  }

  static CallboardNode start(NodeOptions options, StartRetry retry) {
    BlockingWait.refuseEventLoop("CallboardNode.start");
    NodeOptions copy = new NodeOptions(options);
    copy.check();
    copy.parts().forEach(CallboardNode::check);
    long begunNs = System.nanoTime();
    CallboardNode node = new CallboardNode(copy, NodeOpening.open(copy, retry));
    if (copy.shutdownHook()) {
      node.hook();
    }
    node.failure.closeWith(node::close);
    log.info(
        "node {} is ready after {} ms ({})",
        node.name,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs),
        node.opened.where());
    return node;
  }

  private static void check(NodePart<?> part) {
    try {
      part.check();
    } catch (Exception e) {
      throw new NodeStartException(
          NodeStartException.Reason.PART,
          "%s: %s".formatted(part.name(), Causes.message(e)),
          "",
          e);
    }
  }

  private void hook() {
    Thread thread = new Thread(this::closeAtExit, "callboard-stop");
    try {
      Runtime.getRuntime().addShutdownHook(thread);
      hook = thread;
    } catch (IllegalStateException e) {
      close();
      throw new NodeStartException(
          NodeStartException.Reason.OTHER, "the process was ended while the node started", "", e);
    }
  }

  private void closeAtExit() {
    log.info("the process ends: node {} closes, within {}", name, closeTimeout);
    close();
  }

  /** The name of this node. */
  public String name() {
    return name;
  }

  /** The Callboard of this node: spawns, hosts and finds actors. */
  public Callboard callboard() {
    return opened.callboard();
  }

  /**
   * The node's part in the grid.
   *
   * @throws IllegalStateException if {@link NodeOptions#grid} is false
   */
  public Grid grid() {
    return opened
        .grid()
        .orElseThrow(
            () -> new IllegalStateException("node %s takes no part in the grid".formatted(name)));
  }

  /**
   * Returns what a part of this node has started, such as {@code Jobs}.
   *
   * @throws IllegalStateException if the node has no such part: see {@link NodeOptions#with}
   */
  public <T> T part(Class<T> type) {
    return opened.started().part(type);
  }

  /**
   * Starts a part on this node, which runs already, and closes it with the node and before those
   * that started before; blocks until it runs. A part that {@linkplain NodePart#prepare prepares}
   * the node, such as an archive, is refused: the actors run already, so it is given to the node
   * with {@link NodeOptions#with}.
   *
   * @return what the part has started, which {@link #part} finds from now on
   * @throws NodeStartException if it cannot start
   * @throws IllegalArgumentException if a part that it needs is missing, there is one of its type
   *     or name already, one that would use it has started without it, or it prepares the node
   * @throws IllegalStateException on an event loop, or if the node is closing, or has closed
   */
  @CanIgnoreReturnValue
  public <T> T add(NodePart<T> part) {
    BlockingWait.refuseEventLoop("CallboardNode.add");
    opened.started().fits(part);
    check(part);
    try {
      return opened.startPart(part);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new NodeStartException(
          NodeStartException.Reason.PART,
          "%s could not be started: %s".formatted(part.name(), Causes.message(e)),
          "",
          e);
    }
  }

  /** The Vert.x of this node, clustered unless everything is in memory. */
  public Vertx vertx() {
    return opened.vertx();
  }

  /**
   * The connect string of ZooKeeper, which another node of the same cell takes as {@link
   * NodeOptions#zookeeper}; empty if everything is in memory. That of an embedded ZooKeeper is
   * reached from this machine only.
   */
  public Optional<String> zookeeper() {
    return opened.zookeeper();
  }

  /** The data directory, absolute; empty if there is none. */
  public Optional<Path> directory() {
    return opened.directory();
  }

  /**
   * The identity of the data directory, the same after each restart and different from that of
   * every other node; empty if there is no directory.
   */
  public Optional<String> homeId() {
    return opened.homeId();
  }

  /**
   * Adds something of the application that is closed with the node and before its actors, such as
   * an HTTP server. The last one added is closed first. Each has two fifths of the time that is
   * left of {@link NodeOptions#closeTimeout}; one that takes longer is logged by its name, and the
   * close goes on.
   *
   * @param what the log calls it
   * @param stop starts the stop; the node waits for the future, within its time limit
   * @throws IllegalStateException if the node is closing, or has closed
   */
  public void onClose(String what, Supplier<? extends Future<?>> stop) {
    parts.pushOfApplication(
        Objects.requireNonNull(what, "what is null: name it"), Objects.requireNonNull(stop));
  }

  /**
   * The end of this node: completes when it has closed; fails then with the cause if the node
   * failed for good. What fails while it closes already does not count.
   */
  public Future<Void> closed() {
    return closed.future();
  }

  /** Whether its store is gone, so that parts which need it cannot stop cleanly. */
  public boolean isStoreLost() {
    return failure.isStoreLost();
  }

  /**
   * Closes the node in the reverse order of its start; failures are logged. Returns when it has
   * closed, after little more than {@link NodeOptions#closeTimeout} at the latest. Idempotent. An
   * interrupt does not end it early; the thread has it again afterwards.
   *
   * @throws IllegalStateException on an event loop
   */
  @Override
  public void close() {
    BlockingWait.refuseEventLoop("CallboardNode.close");
    if (closing.compareAndSet(false, true)) {
      closer = Thread.currentThread();
      failure.closing();
      try {
        unhook();
        parts.close(closeTimeout, this::isStoreLost);
      } finally {
        closer = null;
        done.countDown();
        failure.cause().ifPresentOrElse(closed::tryFail, closed::tryComplete);
      }
    } else if (closer != Thread.currentThread()) {
      awaitClosed();
    }
  }

  private void awaitClosed() {
    try {
      if (!done.await(closeTimeout.plus(MARGIN).toMillis(), TimeUnit.MILLISECONDS)) {
        log.warn("node {} is still closing after {}", name, closeTimeout.plus(MARGIN));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** So that a closed node is not kept in memory until the process ends. */
  private void unhook() {
    Thread thread = hook;
    hook = null;
    if (thread != null && thread != Thread.currentThread()) {
      try {
        boolean unused = Runtime.getRuntime().removeShutdownHook(thread);
      } catch (IllegalStateException e) {
        log.debug("the process ends already", e);
      }
    }
  }
}
