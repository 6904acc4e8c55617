package io.callboard.dashboard;

import io.callboard.Callboard;
import io.callboard.dashboard.internal.audit.AuditTrail;
import io.callboard.dashboard.internal.auth.Authentication;
import io.callboard.dashboard.internal.chart.Recorder;
import io.callboard.dashboard.internal.contract.Caller;
import io.callboard.dashboard.internal.contract.ContractRouter;
import io.callboard.dashboard.internal.contract.ProblemException;
import io.callboard.dashboard.internal.contract.Problems;
import io.callboard.dashboard.internal.guard.HostRule;
import io.callboard.dashboard.internal.guard.OperationGuard;
import io.callboard.dashboard.internal.guard.RequestGuard;
import io.callboard.dashboard.internal.live.LiveFeed;
import io.callboard.dashboard.internal.live.Topics;
import io.callboard.dashboard.internal.model.Throughput;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.part.NodePart;
import io.callboard.part.PartNeed;
import io.callboard.part.RunningNode;
import io.callboard.pollers.Sources;
import io.callboard.workflows.Workflows;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Dashboard of a node as a router: REST below {@code /api/v1}, health and metrics, the WebSocket at
 * {@code /ws} and the page at {@code /}. It can be mounted at any path of an application's own
 * server, which needs {@link #serverOptions}.
 */
public final class Dashboard {
  private static final int CLOSE_WITHIN_SECONDS = 5;
  private static final Duration UNWRITTEN = Duration.ofMinutes(2);
  private static final int FRAME_BYTES = 64 * 1024;

  /** Parts that a dashboard shows. */
  static final List<PartNeed> NEEDS =
      List.of(
          PartNeed.of(Grid.class, "leave NodeOptions.grid true"),
          PartNeed.optional(Jobs.class),
          PartNeed.optional(Workflows.class),
          PartNeed.optional(Sources.class));

  private final Router router;
  private final LiveFeed feed;
  private final RestOperations operations;
  private final Runnable unlisten;
  private final Recorder recorder;
  private final Authentication authentication;

  private Dashboard(NodeParts parts, Authentication login, ServedFiles files) {
    authentication = login;
    Throughput throughput = new Throughput();
    Clock clock = parts.clock();
    unlisten =
        parts
            .jobs()
            .map(
                jobs ->
                    jobs.onRuns(
                        (started, ended) -> throughput.note(started, ended, clock.instant())))
            .orElse(() -> {});
    recorder = new Recorder(parts.callboard(), parts.jobs(), throughput, clock);
    recorder.start();
    NodeModels models = NodeModels.of(parts, throughput);
    feed = feed(parts, models);
    AuditTrail audit = new AuditTrail();
    operations = new RestOperations(parts, models, recorder, audit, login, files);
    router = Router.router(parts.vertx());
    mount(parts, audit, files);
  }

  private static LiveFeed feed(NodeParts parts, NodeModels models) {
    DashboardOptions options = parts.options();
    Callboard callboard = parts.callboard();
    Topics topics =
        new Topics(
            parts.vertx(),
            parts.time(),
            models.cell(),
            models.attention(),
            models.actors(),
            models.supervision(),
            models.cellActors(),
            models.nodes(),
            parts.jobs(),
            parts.workflows(),
            parts.sources(),
            parts.grid());
    return new LiveFeed(
        parts.vertx(),
        parts.time(),
        topics,
        parts.jobs(),
        parts.workflows().isPresent(),
        parts.sources().isPresent(),
        parts.clock(),
        options.tick(),
        callboard.node(),
        options.cell(),
        options.version());
  }

  /** Adds the routes: what refuses strangers, the page, the login, and what needs it. */
  private void mount(NodeParts parts, AuditTrail audit, ServedFiles files) {
    DashboardOptions options = parts.options();
    HostRule rule = new HostRule(options.host(), options.allowedHosts());
    Set<String> proxies = Set.copyOf(options.auth().map(AuthOptions::proxies).orElse(List.of()));
    router.route().handler(context -> noteAddress(context, proxies));
    OperationGuard guard = new OperationGuard(audit, options.readOnly(), parts.clock());
    router.route().handler(new RequestGuard(rule)).failureHandler(guard::refused);
    files.page().mount(router);
    router.route().handler(authentication).failureHandler(guard::refused);
    LiveEndpoint live = new LiveEndpoint(feed);
    router.get("/ws").handler(live::upgrade).failureHandler(Problems::write);
    router
        .route("/*")
        .subRouter(
            ContractRouter.create(parts.vertx(), files.contract(), guard, operations.handlers()));
    router
        .route("/api/*")
        .handler(
            context -> {
              throw ProblemException.notFound(
                  "there is nothing at %s; /api/v1/openapi.json lists all paths"
                      .formatted(context.request().path()));
            })
        .failureHandler(Problems::write);
  }

  /**
   * Returns the dashboard as a part of a node, with the job scheduler, the workflow engine and the
   * sources that the node has, for an application that mounts its {@link #router}.
   *
   * @param options options, which are copied; nothing listens at the host and port here, but the
   *     host is one of the names under which requests are answered
   */
  public static NodePart<Dashboard> part(DashboardOptions options) {
    return new DashboardPart(new DashboardOptions(options));
  }

  /** Creates the dashboard of a node. */
  static Future<Dashboard> create(RunningNode node, DashboardOptions options) {
    NodeParts parts = NodeParts.of(node, options);
    Vertx vertx = parts.vertx();
    Future<Authentication> login = login(parts);
    return vertx
        .executeBlocking(ServedFiles::read)
        .compose(files -> login.map(known -> new Dashboard(parts, known, files)));
  }

  private static Future<Authentication> login(NodeParts parts) {
    DashboardOptions options = parts.options();
    Optional<AuthOptions> auth = options.auth();
    return Authentication.open(
        parts.vertx(),
        parts.time(),
        auth.flatMap(AuthOptions::users),
        auth.flatMap(AuthOptions::tokens).map(AuthOptions.Tokens::rules),
        auth.map(AuthOptions::idle).orElse(AuthOptions.DEFAULT_IDLE),
        auth.map(AuthOptions::most).orElse(AuthOptions.DEFAULT_MOST),
        options.clock());
  }

  /**
   * Returns a copy of {@code options} with the settings that a server of the dashboard needs.
   *
   * <p>Frames are not compressed: Vert.x 5.0.10 does not limit what Netty inflates, and each 64 KB
   * of a client could become 64 MB. A connection to which nothing could be written for two minutes
   * is ended, unless the options say when: the close waits behind what was written before.
   */
  public static HttpServerOptions serverOptions(HttpServerOptions options) {
    HttpServerOptions its = new HttpServerOptions(options);
    if (its.getWriteIdleTimeout() == 0) {
      its.setWriteIdleTimeout((int) its.getIdleTimeoutUnit().convert(UNWRITTEN));
    }
    return its.setWebSocketSubProtocols(List.of(LiveEndpoint.SUBPROTOCOL))
        .setPerFrameWebSocketCompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setWebSocketClosingTimeout(CLOSE_WITHIN_SECONDS)
        .setMaxWebSocketFrameSize(FRAME_BYTES)
        .setMaxWebSocketMessageSize(FRAME_BYTES)
        .setHandle100ContinueAutomatically(true);
  }

  /** Returns the router to mount. */
  public Router router() {
    return router;
  }

  /**
   * Closes the dashboard: disconnects WebSocket clients, ends followed logs and begins no further
   * items of bulk actions; requests under way are finished.
   */
  public Future<Void> close() {
    unlisten.run();
    recorder.close();
    operations.close();
    return feed.close().eventually(authentication::close);
  }

  private static void noteAddress(RoutingContext context, Set<String> proxies) {
    Caller.through(context, proxies);
    context.next();
  }
}
