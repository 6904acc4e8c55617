package io.callboard.node;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.node.NodeStartException.Reason;
import io.callboard.node.internal.data.DataDirectory;
import io.callboard.node.internal.data.DataDirectoryException;
import io.callboard.part.NodePart;
import io.callboard.part.NodePreparation;
import io.callboard.part.StartedParts;
import io.callboard.store.StoreException;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Causes;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.ZoneOptions;
import io.callboard.zookeeper.Clustering;
import io.callboard.zookeeper.EnsembleOutage;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Start of a node, part by part. Confined to the thread that starts the node until it is open. */
final class NodeOpening {
  private static final Logger log = LoggerFactory.getLogger(NodeOpening.class);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final NodeOptions options;
  private final Optional<String> recorded;
  private final String name;
  private final NodeFailure failure;
  private final CloseStack parts = new CloseStack();
  private @Nullable DataDirectory data;
  private @Nullable String zookeeper;
  private @Nullable Vertx vertx;
  private @Nullable Callboard callboard;
  private @Nullable Grid grid;
  private @Nullable StartedParts started;
  private String step = "";

  private NodeOpening(NodeOptions options) {
    this.options = options;
    recorded = Optional.ofNullable(options.directory()).flatMap(DataDirectory::nodeName);
    name =
        Optional.ofNullable(options.name())
            .or(() -> recorded)
            .orElseGet(() -> NodeNames.derived(options.directory()));
    failure = new NodeFailure(options.onFailure());
  }

  /** Opens all parts; if that fails, closes those that were opened. */
  static NodeOpening open(NodeOptions options, StartRetry patience) {
    while (true) {
      NodeOpening opening = new NodeOpening(options);
      try {
        opening.open(patience);
        return opening;
      } catch (Exception | LinkageError e) { // of a damaged jar
        boolean interrupted =
            e instanceof InterruptedException || Thread.currentThread().isInterrupted();
        opening.parts.close(options.closeTimeout(), opening.failure::isStoreLost);
        if (interrupted) {
          Thread.currentThread().interrupt();
        } else if (options.zookeeper() != null && patience.triesAgain(e, System.nanoTime())) {
          log.warn("ZooKeeper cannot be reached, the start is retried: {}", e.toString());
          continue;
        }
        throw opening.refusal(e);
      }
    }
  }

  private void open(StartRetry patience) throws Exception {
    if (options.name() == null) {
      log.info(
          "this node is called {}, {}: set NodeOptions.name for another name",
          name,
          recorded.isPresent()
              ? "as before with its directory"
              : "after its host" + (options.directory() == null ? "" : " and directory"));
    }
    String home = openDirectory();
    CallboardOptions callboardOptions = new CallboardOptions().name(name).homeId(home);
    String connect = connectString();
    if (connect == null) {
      log.warn(
          "node {} keeps everything in memory: what durable actors hold, and their mail, is lost with this process. Set NodeOptions.directory, or NodeOptions.zookeeper to join an ensemble",
          name);
      step = "starting Vert.x";
      vertx = started(Future.succeededFuture(Vertx.vertx(options.vertx())));
      callboardOptions.store(MemoryStore::new);
    } else {
      joinCell(connect, home, patience);
      ZooKeeperOptions cell = options.zookeeperOptions(connect);
      callboardOptions.store(() -> new ZooKeeperStore(cell));
    }
    startActors(callboardOptions);
  }

  /** The identity of the directory; empty without one. */
  private String openDirectory() throws Exception {
    step = "opening the data directory";
    Path directory = options.directory();
    if (directory == null) {
      return "";
    }
    DataDirectory opened = DataDirectory.open(directory);
    data = opened;
    parts.push("data directory", limit -> opened.close());
    return opened.homeId();
  }

  /** Of the ensemble, or of a server that is embedded now; null if all is in memory. */
  private @Nullable String connectString() throws Exception {
    step = "starting the embedded ZooKeeper";
    zookeeper = options.zookeeper();
    if (zookeeper == null && data != null) {
      zookeeper =
          EmbeddedServer.start(
              data, options.zookeeperPort(), options.newCell(), parts, failure::zooKeeperStopped);
    }
    return zookeeper;
  }

  private void joinCell(String connect, String home, StartRetry patience) throws Exception {
    step = "joining the cell";
    ZooKeeperOptions cell = options.zookeeperOptions(connect);
    Clustering clustering =
        home.isEmpty() ? Clustering.connect(cell) : Clustering.connect(cell, home);
    patience.reached();
    parts.push("ZooKeeper session", limit -> clustering.close());
    if (home.isEmpty()) {
      log.info(
          "node {} has no directory: after a crash its successor waits up to {} for its session to end. Set NodeOptions.directory to restart at once",
          name,
          options.sessionTimeout());
    }
    step = "starting Vert.x";
    VertxOptions vertxOptions = new VertxOptions(options.vertx());
    vertxOptions
        .getEventBusOptions()
        .setHost(options.clusterHost())
        .setPort(options.clusterPort())
        .setClusterPublicHost(options.clusterHost());
    vertx =
        started(
            Vertx.builder()
                .with(vertxOptions)
                .withClusterManager(clustering.manager())
                .buildClustered());
  }

  private Vertx started(Future<Vertx> starting) throws Exception {
    Vertx started;
    try {
      started = BlockingWait.awaitOrClose(starting, LIMIT, Vertx::close);
    } catch (BindException e) {
      throw new NodeStartException(
          Reason.EVENT_BUS,
          "the event bus cannot listen on port %d of %s (%s)"
              .formatted(options.clusterPort(), options.clusterHost(), e.getMessage()),
          "choose others with NodeOptions.clusterHost and NodeOptions.clusterPort",
          e);
    }
    parts.push("Vert.x", started::close);
    return started;
  }

  private void startActors(CallboardOptions callboardOptions) throws Exception {
    Vertx runsIn = vertx();
    step = "preparing the node";
    NodePreparation preparation = new Preparation(runsIn, callboardOptions, parts, new HashSet<>());
    options.preparations().forEach(each -> each.accept(preparation));
    for (NodePart<?> part : options.parts()) {
      step = "preparing " + part.name();
      try {
        part.prepare(preparation);
      } catch (RuntimeException e) {
        throw ofPart(part, e);
      }
    }
    step = "starting the actors";
    Callboard actors =
        BlockingWait.awaitOrClose(
            Callboard.create(runsIn, callboardOptions), LIMIT, Callboard::close);
    callboard = actors;
    parts.push("actors", actors::close);
    var unused = actors.closed().onFailure(failure::actorsStopped);
    if (options.grid()) {
      step = "joining the grid";
      grid = BlockingWait.await(Grid.start(actors, GridOptions.DEFAULT), LIMIT);
    }
    DataDirectory directory = data;
    if (directory != null) {
      recordName(directory, actors);
    }
    startParts(actors);
  }

  private void startParts(Callboard actors) throws Exception {
    StartedParts all =
        new StartedParts(
            actors,
            options.cell(),
            directory().orElse(null),
            homeId().orElse(null),
            failure::isStoreLost,
            parts::pushOfApplication);
    grid().ifPresent(member -> all.has(Grid.class, member));
    started = all;
    for (NodePart<?> part : options.parts()) {
      var unused = startPart(part);
    }
  }

  /** Starts a part whose needs have started; it closes with the node. Blocks. */
  <T> T startPart(NodePart<T> part) throws Exception {
    step = "starting " + part.name();
    try {
      return BlockingWait.await(started().start(part), LIMIT);
    } catch (InterruptedException e) {
      throw e;
    } catch (TimeoutException e) {
      throw ofPart(
          part, new IllegalStateException("it has not started within %s".formatted(LIMIT), e));
    } catch (Exception e) {
      throw EnsembleOutage.isCauseOf(e) ? e : ofPart(part, e);
    }
  }

  private NodeStartException ofPart(NodePart<?> part, Exception e) {
    return new NodeStartException(
        Reason.PART,
        "node %s could not be started: %s: %s".formatted(name, part.name(), Causes.message(e)),
        "",
        e);
  }

  /**
   * The node for those who prepare it.
   *
   * @param ofParts names of the scheduling zones that parts have added
   */
  private record Preparation(
      Vertx vertx, CallboardOptions options, CloseStack parts, Set<String> ofParts)
      implements NodePreparation {
    @Override
    public void zone(String zone, ZoneOptions byDefault) {
      if (ZoneDefaults.zones().containsKey(zone) || !ofParts.add(zone)) {
        throw new IllegalArgumentException(
            "there is a scheduling zone %s already, of the node or of another part: give this one another name"
                .formatted(zone));
      }
      byDefault.check(zone);
      if (!options.zones().containsKey(zone)) {
        options.zone(zone, byDefault);
      }
    }

    @Override
    public void closeAfterActors(String what, Supplier<? extends Future<?>> stop) {
      parts.pushOfApplication(what, stop);
    }
  }

  /** Once the node has its name in the cell: not one that another node has. */
  private void recordName(DataDirectory directory, Callboard started) throws Exception {
    step = "recording the name";
    Map<String, Instant> former = directory.called(name, started.time().clock().instant());
    recorded
        .filter(before -> !before.equals(name))
        .ifPresent(
            before ->
                log.warn(
                    "the data directory {} was that of node {}, which is called {} from now on: what was set for {}, such as a drain, does not hold for {}. Set it again, or start the node as {}",
                    directory.path(),
                    before,
                    name,
                    before,
                    name,
                    before));
    Grid member = grid;
    if (member != null && !former.isEmpty()) {
      BlockingWait.await(member.formerNames(former), LIMIT);
    }
  }

  private NodeStartException refusal(Throwable e) {
    String message = String.valueOf(e.getMessage());
    if (e instanceof NodeStartException known) {
      return known;
    } else if (e instanceof DataDirectoryException directory) {
      return directory.isUnusable()
          ? new NodeStartException(
              Reason.DIRECTORY, message, "choose another with NodeOptions.directory", e)
          : new NodeStartException(Reason.DIRECTORY_CONTENT, message, "", e);
    } else if (e instanceof StoreException store) {
      return ofStore(store, message);
    }
    return new NodeStartException(
        Reason.OTHER,
        "node %s could not be started: %s failed: %s".formatted(name, step, e),
        "",
        e);
  }

  private NodeStartException ofStore(StoreException e, String message) {
    return switch (e.kind()) {
      case NAME_TAKEN ->
          new NodeStartException(
              Reason.NAME_TAKEN, message, "give this one a name with NodeOptions.name", e);
      case UNAVAILABLE ->
          new NodeStartException(
              Reason.ZOOKEEPER,
              message,
              "start it, or name another with NodeOptions.zookeeper; a node that embeds ZooKeeper logs its address",
              e);
      case DENIED ->
          new NodeStartException(
              Reason.ZOOKEEPER, message, "give credentials with NodeOptions.access", e);
      case CONFLICT, CORRUPT, WENT_BACK, CLOSED ->
          new NodeStartException(Reason.ZOOKEEPER, message, "", e);
    };
  }

  String name() {
    return name;
  }

  CloseStack parts() {
    return parts;
  }

  NodeFailure failure() {
    return failure;
  }

  Vertx vertx() {
    return Objects.requireNonNull(vertx, "the Vert.x was started");
  }

  Callboard callboard() {
    return Objects.requireNonNull(callboard, "the actors were started");
  }

  StartedParts started() {
    return Objects.requireNonNull(started, "the parts were started");
  }

  Optional<Grid> grid() {
    return Optional.ofNullable(grid);
  }

  Optional<String> zookeeper() {
    return Optional.ofNullable(zookeeper);
  }

  Optional<Path> directory() {
    return Optional.ofNullable(data).map(DataDirectory::path);
  }

  Optional<String> homeId() {
    return Optional.ofNullable(data).map(DataDirectory::homeId);
  }

  /** Returns where the node is, for the log. */
  String where() {
    if (zookeeper == null) {
      return "in memory";
    } else if (options.zookeeper() == null) {
      return "cell %s, embedded ZooKeeper %s, which other nodes on this machine can join"
          .formatted(options.cell(), zookeeper);
    }
    return "cell %s, ZooKeeper %s".formatted(options.cell(), zookeeper);
  }
}
