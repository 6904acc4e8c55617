package io.callboard.node;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.CallboardOptions;
import io.callboard.grid.Grid;
import io.callboard.part.NodePart;
import io.callboard.part.NodePreparation;
import io.callboard.part.PartOrder;
import io.callboard.zookeeper.access.ZooKeeperAccess;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link CallboardNode}. With a {@link #directory} the node embeds a durable ZooKeeper
 * in it; with {@link #zookeeper} it joins that ensemble instead, and a directory gives it an
 * identity that survives restarts; with neither it keeps everything in memory. Setters change and
 * return this object; it is copied when used. Not thread-safe.
 */
public final class NodeOptions {
  /** Default of {@link #startTimeout}. */
  public static final Duration DEFAULT_START_TIMEOUT = Duration.ofSeconds(10);

  /** Default of {@link #closeTimeout}. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration SHORTEST_SESSION = Duration.ofSeconds(1);
  private static final Duration LONGEST_SESSION = Duration.ofSeconds(60);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);
  private static final int LAST_PORT = 65_535;

  private @Nullable String name;
  private @Nullable Path directory;
  private @Nullable String zookeeper;
  private @Nullable Integer zookeeperPort;
  private boolean newCell;
  private String cell = ZooKeeperOptions.DEFAULT_CELL;
  private ZooKeeperAccess access = ZooKeeperAccess.OPEN;
  private Duration sessionTimeout = ZooKeeperOptions.DEFAULT_SESSION_TIMEOUT;
  private Duration startTimeout = DEFAULT_START_TIMEOUT;
  private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
  private String clusterHost = "127.0.0.1";
  private int clusterPort;
  private boolean grid = true;
  private boolean shutdownHook = true;
  private VertxOptions vertx = new VertxOptions();
  private @Nullable Consumer<Throwable> onFailure;
  private final List<Consumer<NodePreparation>> preparations = new ArrayList<>();
  private final List<NodePart<?>> parts = new ArrayList<>();

  /** Creates the default options. */
  public NodeOptions() {}

  /** Creates a copy of {@code other}. */
  public NodeOptions(NodeOptions other) {
    name = other.name;
    directory = other.directory;
    zookeeper = other.zookeeper;
    zookeeperPort = other.zookeeperPort;
    newCell = other.newCell;
    cell = other.cell;
    access = other.access;
    sessionTimeout = other.sessionTimeout;
    startTimeout = other.startTimeout;
    closeTimeout = other.closeTimeout;
    clusterHost = other.clusterHost;
    clusterPort = other.clusterPort;
    grid = other.grid;
    shutdownHook = other.shutdownHook;
    vertx = new VertxOptions(other.vertx);
    onFailure = other.onFailure;
    preparations.addAll(other.preparations);
    parts.addAll(other.parts);
  }

  /**
   * The name of the node, unique in its cell and the same after each restart. Null, the default,
   * for the one that it had before with its {@link #directory}; at first one made of the names of
   * the host and of the directory. The log says which.
   */
  public @Nullable String name() {
    return name;
  }

  /**
   * See {@link #name()}.
   *
   * @throws IllegalArgumentException if it is not up to 63 letters, digits and - _ . that begin
   *     with a letter or digit
   */
  @CanIgnoreReturnValue
  public NodeOptions name(String given) {
    name = new CallboardOptions().name(given).name();
    return this;
  }

  /**
   * The data directory of the node; created if it is missing, locked while the node runs. It holds
   * the identity of the node and the store of the embedded ZooKeeper. Null, the default, for none.
   */
  public @Nullable Path directory() {
    return directory;
  }

  /** See {@link #directory()}. */
  @CanIgnoreReturnValue
  public NodeOptions directory(Path path) {
    directory =
        Objects.requireNonNull(
            path, "directory is null: give a path such as Path.of(\"data\"), or leave it out");
    return this;
  }

  /**
   * The ZooKeeper to join. Null, the default, for an embedded one, which needs a {@link
   * #directory}.
   */
  public @Nullable String zookeeper() {
    return zookeeper;
  }

  /**
   * See {@link #zookeeper()}.
   *
   * @param connectString {@code host:port[,host:port…][/chroot]}; of an ensemble, or of a node on
   *     this machine that embeds one
   * @throws IllegalArgumentException if it is not of that form
   */
  @CanIgnoreReturnValue
  public NodeOptions zookeeper(String connectString) {
    Objects.requireNonNull(
        connectString, "zookeeper is null: give HOST:PORT, or leave it out for an embedded one");
    named("zookeeper", () -> ZooKeeperOptions.of(connectString));
    zookeeper = connectString;
    return this;
  }

  /**
   * The port of the embedded ZooKeeper, on loopback. Null, the default, for the port that it had
   * before, else 2181, else any free one; 0 for any free one.
   */
  public @Nullable Integer zookeeperPort() {
    return zookeeperPort;
  }

  /** See {@link #zookeeperPort()}. */
  @CanIgnoreReturnValue
  public NodeOptions zookeeperPort(int port) {
    zookeeperPort = port("zookeeperPort", port);
    return this;
  }

  /**
   * Whether the node starts even if the store of its embedded ZooKeeper is empty or ends before the
   * last transaction recorded in the directory, and so continues with what the store holds; default
   * false.
   */
  public boolean newCell() {
    return newCell;
  }

  /** See {@link #newCell()}. */
  @CanIgnoreReturnValue
  public NodeOptions newCell(boolean accepted) {
    newCell = accepted;
    return this;
  }

  /** The name of the cell in ZooKeeper, default {@code main}. */
  public String cell() {
    return cell;
  }

  /**
   * See {@link #cell()}.
   *
   * @throws IllegalArgumentException if it is not up to 63 letters, digits and - _ .
   */
  @CanIgnoreReturnValue
  public NodeOptions cell(String given) {
    Objects.requireNonNull(given, "cell is null: give a name, or leave it out for \"main\"");
    named(
        "cell",
        () ->
            new ZooKeeperOptions(
                "127.0.0.1:2181", given, sessionTimeout, DEFAULT_START_TIMEOUT, access));
    cell = given;
    return this;
  }

  /** Credentials and TLS of the connection to ZooKeeper; default none. */
  public ZooKeeperAccess access() {
    return access;
  }

  /** See {@link #access()}. */
  @CanIgnoreReturnValue
  public NodeOptions access(ZooKeeperAccess given) {
    access = Objects.requireNonNull(given, "access is null: give ZooKeeperAccess.OPEN for none");
    return this;
  }

  /**
   * Time without contact to ZooKeeper after which the node counts as dead; 1 s to 60 s, default 10
   * s.
   */
  public Duration sessionTimeout() {
    return sessionTimeout;
  }

  /** See {@link #sessionTimeout()}. */
  @CanIgnoreReturnValue
  public NodeOptions sessionTimeout(Duration timeout) {
    sessionTimeout = between("sessionTimeout", timeout, SHORTEST_SESSION, LONGEST_SESSION);
    return this;
  }

  /**
   * Time that a start waits for a ZooKeeper that it has not reached yet; 1 s to 1 h, default 10 s.
   * One that was reached and went away is waited for one minute, or for this time if it is longer.
   */
  public Duration startTimeout() {
    return startTimeout;
  }

  /** See {@link #startTimeout()}. */
  @CanIgnoreReturnValue
  public NodeOptions startTimeout(Duration timeout) {
    startTimeout = between("startTimeout", timeout, Duration.ofSeconds(1), LONGEST_WAIT);
    return this;
  }

  /**
   * Time limit of a close, which drains the node: what was added with {@link CallboardNode#onClose}
   * ends, actors finish the message that they handle, commits in flight are awaited, partitions and
   * roles are handed over. 1 s to 1 h, default 20 s. Each part of the application has two fifths of
   * what is left of it when its turn comes (8 s of 20 s for the first); one that hangs is logged by
   * its name, and the close goes on. After the limit each part that is left has one second more.
   */
  public Duration closeTimeout() {
    return closeTimeout;
  }

  /** See {@link #closeTimeout()}. */
  @CanIgnoreReturnValue
  public NodeOptions closeTimeout(Duration timeout) {
    closeTimeout = between("closeTimeout", timeout, Duration.ofSeconds(1), LONGEST_WAIT);
    return this;
  }

  /**
   * The address on which the event bus listens and at which other nodes reach this one; default
   * 127.0.0.1, which only nodes on this machine reach.
   */
  public String clusterHost() {
    return clusterHost;
  }

  /** See {@link #clusterHost()}. */
  @CanIgnoreReturnValue
  public NodeOptions clusterHost(String host) {
    if (host == null || host.isBlank()) {
      throw new IllegalArgumentException(
          "clusterHost is \"%s\": give the address at which other nodes reach this one"
              .formatted(host));
    }
    clusterHost = host;
    return this;
  }

  /** The port of the event bus; 0, the default, for any free one. */
  public int clusterPort() {
    return clusterPort;
  }

  /** See {@link #clusterPort()}. */
  @CanIgnoreReturnValue
  public NodeOptions clusterPort(int port) {
    clusterPort = port("clusterPort", port);
    return this;
  }

  /**
   * Whether the node takes part in the grid: roles, early detection of dead nodes, the grid
   * monitor; default true.
   */
  public boolean grid() {
    return grid;
  }

  /** See {@link #grid()}. */
  @CanIgnoreReturnValue
  public NodeOptions grid(boolean takesPart) {
    grid = takesPart;
    return this;
  }

  /**
   * Whether the node closes when the JVM ends by a signal or {@code System.exit}, within {@link
   * #closeTimeout}; default true.
   */
  public boolean shutdownHook() {
    return shutdownHook;
  }

  /** See {@link #shutdownHook()}. */
  @CanIgnoreReturnValue
  public NodeOptions shutdownHook(boolean installed) {
    shutdownHook = installed;
    return this;
  }

  /** The options of the Vert.x that the node makes; its event bus is configured by the node. */
  public VertxOptions vertx() {
    return vertx;
  }

  /** See {@link #vertx()}. */
  @CanIgnoreReturnValue
  public NodeOptions vertx(VertxOptions options) {
    vertx =
        new VertxOptions(
            Objects.requireNonNull(options, "vertx is null: give VertxOptions, or leave it out"));
    return this;
  }

  /**
   * Handler that is called at most once, when the node has failed for good and before it closes by
   * itself; see {@link CallboardNode#closed()} for the time after it. It has a thread of its own,
   * which it may block: the node closes when it returns or throws. What fails while the node closes
   * already is not reported to it. Null, the default, for none: the failure is logged.
   */
  public @Nullable Consumer<Throwable> onFailure() {
    return onFailure;
  }

  /** See {@link #onFailure()}. */
  @CanIgnoreReturnValue
  public NodeOptions onFailure(Consumer<Throwable> handler) {
    onFailure =
        Objects.requireNonNull(handler, "onFailure is null: give a handler, or leave it out");
    return this;
  }

  List<Consumer<NodePreparation>> preparations() {
    return List.copyOf(preparations);
  }

  /**
   * Adds a step between the start of Vert.x and that of the actors, on the thread that starts the
   * node: it may block, changes options of the {@link io.callboard.Callboard}, and opens what
   * actors need. A step that throws fails the start. Steps are run again if the start is retried
   * because ZooKeeper went away meanwhile.
   */
  @CanIgnoreReturnValue
  public NodeOptions prepare(Consumer<NodePreparation> step) {
    preparations.add(
        Objects.requireNonNull(step, "the step to prepare is null: give one, or leave it out"));
    return this;
  }

  /**
   * Adds a part beside the actors, such as {@code Jobs.part()} or one of your own. Parts start when
   * the actors run, each after those that it needs, and close before the actors, each within two
   * fifths of the time that is left of {@link #closeTimeout}. {@link CallboardNode#part} finds what
   * they have started. A part is prepared and started again if the start is retried because
   * ZooKeeper went away meanwhile.
   */
  @CanIgnoreReturnValue
  public NodeOptions with(NodePart<?> part) {
    parts.add(Objects.requireNonNull(part, "the part is null: give one, or leave it out"));
    return this;
  }

  /** Returns the parts in the order of their start. */
  List<NodePart<?>> parts() {
    return PartOrder.of(parts, grid ? Set.of(Grid.class) : Set.of());
  }

  /**
   * Checks what no setter can see alone.
   *
   * @throws IllegalArgumentException if options do not fit together
   */
  void check() {
    if (zookeeper != null && zookeeperPort != null) {
      throw new IllegalArgumentException(
          "zookeeperPort is %d, but zookeeper is \"%s\": set a port for an embedded ZooKeeper, or an ensemble to join, not both"
              .formatted(zookeeperPort, zookeeper));
    } else if (zookeeper == null && directory == null && zookeeperPort != null) {
      throw new IllegalArgumentException(
          "zookeeperPort is %d, but directory is not set: an embedded ZooKeeper needs a directory such as Path.of(\"data\")"
              .formatted(zookeeperPort));
    } else if (zookeeper == null && access.tls() != null) {
      throw new IllegalArgumentException(
          "access has TLS, but zookeeper is not set: the embedded ZooKeeper has no TLS and listens on loopback only; name an ensemble with zookeeper");
    }
    List<NodePart<?>> unused = parts();
  }

  /** The cell to join; its connect timeout is no longer than the start may take. */
  ZooKeeperOptions zookeeperOptions(String connect) {
    Duration limit = ZooKeeperOptions.DEFAULT_CONNECT_TIMEOUT;
    return new ZooKeeperOptions(
        connect,
        cell,
        sessionTimeout,
        startTimeout.compareTo(limit) < 0 ? startTimeout : limit,
        access);
  }

  private static void named(String option, Supplier<ZooKeeperOptions> check) {
    try {
      ZooKeeperOptions unused = check.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: %s".formatted(option, e.getMessage()), e);
    }
  }

  private static int port(String option, int number) {
    if (number < 0 || number > LAST_PORT) {
      throw new IllegalArgumentException(
          "%s is %d: a port is 0 to %d".formatted(option, number, LAST_PORT));
    }
    return number;
  }

  private static Duration between(String option, Duration given, Duration least, Duration most) {
    Objects.requireNonNull(given, option + " is null: give a duration, or leave it out");
    if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s is %s: give %s to %s".formatted(option, given, least, most));
    }
    return given;
  }
}
