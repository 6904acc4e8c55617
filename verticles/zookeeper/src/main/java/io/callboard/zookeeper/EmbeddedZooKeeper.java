package io.callboard.zookeeper;

import io.callboard.zookeeper.internal.server.BoundedDatabase;
import io.callboard.zookeeper.internal.server.LeakedExecutor;
import io.callboard.zookeeper.internal.server.StoreFiles;
import io.callboard.zookeeper.internal.server.StorePurge;
import io.callboard.zookeeper.internal.server.TxnLogScan;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.zookeeper.server.FinalRequestProcessor;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.apache.zookeeper.server.PrepRequestProcessor;
import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.SyncRequestProcessor;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.util.ServiceUtils;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper server in this JVM, on loopback, durable: every acknowledged write is on disk. For one
 * node and its neighbours on the machine; an external ensemble serves a cluster.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
  private static final int TICK_MS = 500;
  private static final int MIN_SESSION_MS = 1_000;
  private static final int MAX_SESSION_MS = (int) Duration.ofSeconds(60).toMillis();
  private static final int MOST_CONNECTIONS = 1_000;
  private static final int SNAPSHOT_EVERY = 200_000;

  /**
   * Size of the transaction log after which a snapshot is written, at a random point of its second
   * half.
   */
  private static final long SNAPSHOT_EVERY_KIB = 1 << 20;

  /**
   * Bound of the committed log: a single server has no followers, so it keeps only the last
   * request.
   */
  private static final long COMMITTED_LOG_BYTES = 0;

  private final ServerCnxnFactory connections;
  private final Server server;
  private final StorePurge storePurge;

  private EmbeddedZooKeeper(ServerCnxnFactory connections, Server server, StorePurge storePurge) {
    this.connections = connections;
    this.server = server;
    this.storePurge = storePurge;
  }

  /**
   * Starts a server; blocks until it serves.
   *
   * @param port 0 for any free one
   * @param onFailure called with one sentence when the server stops by itself later, for example
   *     because the disk is full
   * @throws IOException whose message says in one line what is wrong: the port is in use, the
   *     directory cannot be written, what is in it cannot be read
   */
  public static EmbeddedZooKeeper start(Path directory, int port, Consumer<String> onFailure)
      throws IOException {
    return start(directory, port, 0, onFailure);
  }

  /**
   * Starts a server whose store must not be older than it was; blocks until it serves.
   *
   * @param reached a {@link #zxid()} that this store is known to have reached; 0 if none is known
   * @throws StoreBehindException if the store ends before that: files of it are gone or were cut.
   *     Nothing was changed then.
   * @throws IOException as above
   */
  public static EmbeddedZooKeeper start(
      Path directory, int port, long reached, Consumer<String> onFailure) throws IOException {
    System.setProperty("zookeeper.admin.enableServer", "false");
    System.setProperty("zookeeper.snapCount", String.valueOf(SNAPSHOT_EVERY));
    System.setProperty("zookeeper.snapSizeLimitInKb", String.valueOf(SNAPSHOT_EVERY_KIB));
    ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY);
    Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    try {
      writable(directory);
      requireThere(directory, reached);
      requireWhole(directory);
      return open(directory, port, reached, onFailure);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(handler);
    }
  }

  private static void writable(Path directory) throws IOException {
    try {
      Files.createDirectories(directory);
      Files.delete(Files.createTempFile(directory, "write", ".test"));
    } catch (IOException e) {
      throw new IOException("%s is not a writable directory".formatted(directory), e);
    }
  }

  /** Requires that the store exists: ZooKeeper would begin a new one where it finds none. */
  private static void requireThere(Path directory, long reached) throws IOException {
    boolean there =
        Files.isDirectory(directory.resolve(StoreFiles.VERSION))
            && !StoreFiles.of(directory).isEmpty();
    if (reached != 0 && !there) {
      throw new StoreBehindException(directory, 0, reached);
    }
  }

  /**
   * Looks for records behind a damaged one: ZooKeeper takes some damage for the end of its log, and
   * would go on without them.
   */
  private static void requireWhole(Path directory) throws IOException {
    if (!Files.isDirectory(directory.resolve(StoreFiles.VERSION))) {
      return;
    }
    for (Path log : StoreFiles.of(directory).logsToRead()) {
      TxnLogScan scan = TxnLogScan.of(log);
      if (scan.isDamaged() && scan.behind() > 0) {
        throw new StoreDamagedException(directory, scan);
      }
    }
  }

  private static EmbeddedZooKeeper open(
      Path directory, int port, long reached, Consumer<String> onFailure) throws IOException {
    ServerCnxnFactory connections = listen(port);
    try {
      Server server = new Server(directory, reached, onFailure);
      server.setMinSessionTimeout(MIN_SESSION_MS);
      server.setMaxSessionTimeout(MAX_SESSION_MS);
      StorePurge storePurge = new StorePurge(directory);
      connections.startup(server);
      storePurge.start();
      return new EmbeddedZooKeeper(connections, server, storePurge);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while ZooKeeper was starting", e);
    } catch (IOException | RuntimeException e) {
      connections.shutdown();
      LeakedExecutor.end(connections);
      if (e instanceof StoreBehindException behind) {
        throw behind;
      }
      throw new StoreDamagedException(directory, e);
    }
  }

  private static ServerCnxnFactory listen(int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
    try (java.net.ServerSocket probe = new java.net.ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(address);
    } catch (BindException e) {
      throw new IOException("port %d is in use on 127.0.0.1".formatted(port), e);
    }
    // Netty's factory answers three to four times as many pipelined requests as the NIO one
    String before = System.getProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY);
    System.setProperty(
        ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, NettyServerCnxnFactory.class.getName());
    try {
      return ServerCnxnFactory.createFactory(address, MOST_CONNECTIONS);
    } finally {
      if (before == null) {
        System.clearProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY);
      } else {
        System.setProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, before);
      }
    }
  }

  /** ZooKeeper server that reports when and why it dies, instead of ending the JVM. */
  private static final class Server extends ZooKeeperServer {
    private final Path directory;
    private final long reached;
    private final Consumer<String> onFailure;
    private volatile boolean closing;
    private volatile @Nullable Throwable unwritable;

    Server(Path directory, long reached, Consumer<String> onFailure) throws IOException {
      super(directory.toFile(), directory.toFile(), TICK_MS);
      setZKDatabase(new BoundedDatabase(getTxnLogFactory(), COMMITTED_LOG_BYTES));
      this.directory = directory;
      this.reached = reached;
      this.onFailure = onFailure;
    }

    /** Looks how far the store goes before anything is written to it. */
    @Override
    public void loadData() throws IOException, InterruptedException {
      long zxid = getZKDatabase().loadDataBase();
      if (zxid < reached) {
        throw new StoreBehindException(directory, zxid, reached);
      }
      super.loadData();
    }

    /**
     * Sets up ZooKeeper's own chain of request processors, with a log writer that keeps why it
     * failed.
     */
    @Override
    protected void setupRequestProcessors() {
      LogWriter writer = new LogWriter(this, new FinalRequestProcessor(this));
      writer.start();
      PrepRequestProcessor first = new PrepRequestProcessor(this, writer);
      first.start();
      firstProcessor = first;
    }

    @Override
    protected void setState(State next) {
      super.setState(next);
      if (next == State.ERROR && !closing) {
        onFailure.accept("the embedded ZooKeeper stopped: " + why());
      }
    }

    private String why() {
      Throwable cause = unwritable;
      return cause == null
          ? "one of its threads failed; the log of this node names it"
          : "its transaction log in %s cannot be written (%s); free space on that disk and restart the node"
              .formatted(directory, cause.getMessage());
    }
  }

  /** Writer of the transaction log. */
  private static final class LogWriter extends SyncRequestProcessor {
    private final Server server;

    LogWriter(Server server, RequestProcessor next) {
      super(server, next);
      this.server = server;
    }

    @Override
    protected void handleException(String thread, Throwable cause) {
      server.unwritable = cause;
      super.handleException(thread, cause);
    }
  }

  /** Returns the server, for tests that set its counters near their ends. */
  ZooKeeperServer server() {
    return server;
  }

  /** Returns the last transaction that was applied, hence is on disk. */
  public long zxid() {
    return server.getZKDatabase().getDataTreeLastProcessedZxid();
  }

  /** Returns the TCP port that the server listens on. */
  public int port() {
    return connections.getLocalPort();
  }

  /** Returns the server's address for clients on this machine. */
  public String connectString() {
    return "127.0.0.1:" + port();
  }

  /** Ends a session as if it had expired; for tests. */
  void expire(long sessionId) {
    server.closeSession(sessionId);
  }

  /**
   * Stops the server; what it acknowledged is on disk. Its last threads end by themselves within
   * some seconds.
   */
  @Override
  public void close() {
    server.closing = true;
    storePurge.close();
    connections.shutdown();
    LeakedExecutor.end(connections);
    server.shutdown(true);
  }
}
