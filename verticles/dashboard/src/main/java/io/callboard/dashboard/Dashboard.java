package io.callboard.dashboard;

import io.callboard.Callboard;
import io.callboard.codecs.Json;
import io.callboard.dashboard.attention.Attention;
import io.callboard.dashboard.attention.FactsReader;
import io.callboard.dashboard.audit.AuditTrail;
import io.callboard.dashboard.auth.Authentication;
import io.callboard.dashboard.bulk.BulkAction;
import io.callboard.dashboard.bulk.BulkKind;
import io.callboard.dashboard.bulk.BulkRuns;
import io.callboard.dashboard.bulk.JobKind;
import io.callboard.dashboard.bulk.WorkflowKind;
import io.callboard.dashboard.contract.Caller;
import io.callboard.dashboard.contract.Contract;
import io.callboard.dashboard.contract.ContractRouter;
import io.callboard.dashboard.contract.Fault;
import io.callboard.dashboard.contract.ProblemException;
import io.callboard.dashboard.contract.Problems;
import io.callboard.dashboard.contract.Role;
import io.callboard.dashboard.guard.HostRule;
import io.callboard.dashboard.guard.OperationGuard;
import io.callboard.dashboard.guard.RequestGuard;
import io.callboard.dashboard.history.Recorder;
import io.callboard.dashboard.live.LiveFeed;
import io.callboard.dashboard.live.Topics;
import io.callboard.dashboard.model.ActorRows;
import io.callboard.dashboard.model.CellActors;
import io.callboard.dashboard.model.CellModel;
import io.callboard.dashboard.model.CellNodes;
import io.callboard.dashboard.model.SupervisionRows;
import io.callboard.dashboard.model.Throughput;
import io.callboard.dashboard.rest.ActorApi;
import io.callboard.dashboard.rest.AttentionApi;
import io.callboard.dashboard.rest.AuditApi;
import io.callboard.dashboard.rest.BrakeApi;
import io.callboard.dashboard.rest.BulkApi;
import io.callboard.dashboard.rest.CellApi;
import io.callboard.dashboard.rest.DefinitionApi;
import io.callboard.dashboard.rest.GridApi;
import io.callboard.dashboard.rest.HistoryApi;
import io.callboard.dashboard.rest.JobApi;
import io.callboard.dashboard.rest.LimitApi;
import io.callboard.dashboard.rest.LogFollow;
import io.callboard.dashboard.rest.NoJobs;
import io.callboard.dashboard.rest.NoSources;
import io.callboard.dashboard.rest.NoWorkflows;
import io.callboard.dashboard.rest.NodeApi;
import io.callboard.dashboard.rest.ParkedApi;
import io.callboard.dashboard.rest.RootApi;
import io.callboard.dashboard.rest.SearchApi;
import io.callboard.dashboard.rest.SessionApi;
import io.callboard.dashboard.rest.SettingsApi;
import io.callboard.dashboard.rest.SourceApi;
import io.callboard.dashboard.rest.TypeApi;
import io.callboard.dashboard.rest.WorkerApi;
import io.callboard.dashboard.rest.WorkflowApi;
import io.callboard.dashboard.rest.WorkflowWarnings;
import io.callboard.dashboard.search.Search;
import io.callboard.grid.Grid;
import io.callboard.jobs.Jobs;
import io.callboard.pollers.Sources;
import io.callboard.time.Time;
import io.callboard.workflows.Workflows;
import io.callboard.workflows.definition.DefinitionSchema;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Dashboard of a node as a router: REST below {@code /api/v1}, health and metrics, the WebSocket at
 * {@code /ws} and the page at {@code /}. It can be mounted at any path of an application's own
 * server, which needs {@link #serverOptions}.
 */
public final class Dashboard {
  private static final String SUBPROTOCOL = "callboard.v1+json";
  private static final int CLOSE_WITHIN_SECONDS = 5;
  private static final Duration UNWRITTEN = Duration.ofMinutes(2);
  private static final int FRAME_BYTES = 64 * 1024;

  private final Router router;
  private final LiveFeed feed;
  private final @Nullable LogFollow follow;
  private final List<BulkRuns> bulk = new ArrayList<>();
  private final Page page;
  private final Runnable unlisten;
  private final Recorder recorder;
  private final Authentication authentication;

  private Dashboard(
      Vertx vertx,
      Callboard callboard,
      @Nullable Jobs jobs,
      @Nullable Workflows workflows,
      @Nullable Sources sources,
      Grid grid,
      DashboardOptions options,
      Authentication login,
      Resources resources) {
    authentication = login;
    Optional<Jobs> scheduler = Optional.ofNullable(jobs);
    Throughput throughput = new Throughput();
    unlisten =
        jobs == null
            ? () -> {}
            : jobs.onRuns(
                (started, ended) -> throughput.note(started, ended, options.clock().instant()));
    recorder = new Recorder(callboard, scheduler, throughput, options.clock());
    recorder.start();
    FactsReader facts =
        new FactsReader(
            callboard,
            options.cell(),
            grid,
            scheduler,
            Optional.ofNullable(workflows),
            Optional.ofNullable(sources),
            options.clock());
    Attention attention = new Attention(facts, options.clock());
    CellModel model =
        new CellModel(
            callboard,
            facts,
            scheduler,
            throughput,
            options.clock(),
            options.cell(),
            options.version());
    ActorRows actors = new ActorRows(callboard, options.clock());
    SupervisionRows supervision = new SupervisionRows(callboard, actors);
    CellActors cellActors = new CellActors(callboard, supervision, options.clock());
    CellNodes nodes = new CellNodes(callboard, facts, grid, scheduler, options.clock());
    Contract contract = resources.contract();
    page = resources.page();
    feed =
        new LiveFeed(
            vertx,
            callboard.time(),
            new Topics(
                vertx,
                callboard.time(),
                model,
                attention,
                actors,
                supervision,
                cellActors,
                nodes,
                scheduler,
                Optional.ofNullable(workflows),
                Optional.ofNullable(sources),
                grid),
            scheduler,
            workflows != null,
            sources != null,
            options.clock(),
            options.tick(),
            callboard.node(),
            options.cell(),
            options.version());
    Map<String, Boolean> features = new TreeMap<>();
    features.put("jobs", jobs != null);
    features.put("workflows", workflows != null);
    features.put("sources", sources != null);
    features.put("archive of jobs", scheduler.flatMap(Jobs::archive).isPresent());
    features.put("login", login.isRequired());
    features.put("read-only", options.readOnly());
    features.put("contents of messages", options.payloads());
    Map<String, ContractRouter.Handler> handlers = new HashMap<>();
    handlers.putAll(new CellApi(model, grid).handlers());
    handlers.putAll(new HistoryApi(recorder).handlers());
    handlers.putAll(new ActorApi(callboard, actors, supervision, cellActors).handlers());
    handlers.putAll(new NodeApi(nodes).handlers());
    handlers.putAll(new AttentionApi(attention).handlers());
    handlers.putAll(new GridApi(grid).handlers());
    handlers.putAll(
        new SearchApi(
                new Search(
                    callboard,
                    actors,
                    cellActors,
                    grid,
                    scheduler,
                    Optional.ofNullable(workflows),
                    Optional.ofNullable(sources)))
            .handlers());
    Predicate<Caller> payloads =
        login.isRequired() ? caller -> caller.role() == Role.ADMIN : caller -> options.payloads();
    handlers.putAll(new ParkedApi(callboard, payloads).handlers());
    AuditTrail audit = new AuditTrail();
    handlers.putAll(new AuditApi(audit).handlers());
    handlers.putAll(new SessionApi(login, options.readOnly()).handlers());
    handlers.putAll(
        new SettingsApi(
                callboard,
                options.cell(),
                options.version(),
                features,
                Json.tree(options.settings()))
            .handlers());
    handlers.putAll(
        new RootApi(
                contract,
                callboard,
                grid,
                scheduler,
                Optional.ofNullable(workflows),
                Optional.ofNullable(sources),
                options.clock())
            .handlers());
    if (jobs == null) {
      follow = null;
      handlers.putAll(NoJobs.handlers(contract));
    } else {
      follow = new LogFollow(vertx, callboard.time(), jobs, options.tick());
      handlers.putAll(new JobApi(jobs, follow).handlers());
      handlers.putAll(
          bulk(vertx, callboard.time(), options.clock(), new JobKind(jobs)).handlers("Job"));
      handlers.putAll(new TypeApi(jobs, model, grid).handlers());
      handlers.putAll(new LimitApi(jobs).handlers());
    }
    if (workflows == null) {
      handlers.putAll(NoWorkflows.handlers(contract));
    } else {
      WorkflowWarnings warnings = new WorkflowWarnings(workflows);
      handlers.putAll(new DefinitionApi(workflows, warnings, resources.schema()).handlers());
      handlers.putAll(new WorkflowApi(workflows, warnings).handlers());
      handlers.putAll(
          bulk(vertx, callboard.time(), options.clock(), new WorkflowKind(workflows))
              .handlers("Workflow"));
      handlers.putAll(new BrakeApi(workflows).handlers());
      handlers.putAll(new WorkerApi(workflows).handlers());
    }
    handlers.putAll(
        sources == null ? NoSources.handlers(contract) : new SourceApi(sources).handlers());
    router = Router.router(vertx);
    HostRule rule = new HostRule(options.host(), options.allowedHosts());
    Set<String> proxies = Set.copyOf(options.auth().map(AuthOptions::proxies).orElse(List.of()));
    router.route().handler(context -> noteAddress(context, proxies));
    OperationGuard guard = new OperationGuard(audit, options.readOnly(), options.clock());
    router.route().handler(new RequestGuard(rule)).failureHandler(guard::refused);
    addPage();
    router.route().handler(login).failureHandler(guard::refused);
    router.get("/ws").handler(this::socket).failureHandler(Problems::write);
    router.route("/*").subRouter(ContractRouter.create(vertx, contract, guard, handlers));
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

  /** {@link #create(Vertx, Callboard, Jobs, Grid, DashboardOptions)} without a job scheduler. */
  public static Future<Dashboard> create(
      Vertx vertx, Callboard callboard, Grid grid, DashboardOptions options) {
    return create(vertx, callboard, null, grid, options);
  }

  /**
   * Creates the dashboard of a node.
   *
   * @param options options, which are copied; nothing listens at the host and port here, but the
   *     host is one of the names under which requests are answered
   */
  public static Future<Dashboard> create(
      Vertx vertx, Callboard callboard, @Nullable Jobs jobs, Grid grid, DashboardOptions options) {
    return create(vertx, callboard, jobs, null, grid, options);
  }

  /**
   * Creates the dashboard of a node, as {@link #create(Vertx, Callboard, Jobs, Grid,
   * DashboardOptions)}, with workflows.
   *
   * @param workflows the workflow engine of the node; null if it has none
   */
  public static Future<Dashboard> create(
      Vertx vertx,
      Callboard callboard,
      @Nullable Jobs jobs,
      @Nullable Workflows workflows,
      Grid grid,
      DashboardOptions options) {
    return create(vertx, callboard, jobs, workflows, null, grid, options);
  }

  /**
   * Creates the dashboard of a node, as {@link #create(Vertx, Callboard, Jobs, Workflows, Grid,
   * DashboardOptions)}, with sources.
   *
   * @param sources the node's part in the sources; null if it has none
   */
  public static Future<Dashboard> create(
      Vertx vertx,
      Callboard callboard,
      @Nullable Jobs jobs,
      @Nullable Workflows workflows,
      @Nullable Sources sources,
      Grid grid,
      DashboardOptions options) {
    DashboardOptions copy = new DashboardOptions(options);
    Future<Authentication> login = login(vertx, callboard.time(), copy);
    return vertx
        .executeBlocking(Resources::read)
        .compose(
            read ->
                login.map(
                    known ->
                        new Dashboard(
                            vertx, callboard, jobs, workflows, sources, grid, copy, known, read)));
  }

  private static Future<Authentication> login(Vertx vertx, Time time, DashboardOptions options) {
    Optional<AuthOptions> auth = options.auth();
    return Authentication.open(
        vertx,
        time,
        auth.flatMap(AuthOptions::users),
        auth.flatMap(AuthOptions::tokens).map(AuthOptions.Tokens::rules),
        auth.map(AuthOptions::idle).orElse(AuthOptions.DEFAULT_IDLE),
        auth.map(AuthOptions::most).orElse(AuthOptions.DEFAULT_MOST),
        options.clock());
  }

  /**
   * Files that a dashboard serves.
   *
   * @param contract contract of the REST interface
   * @param page the page
   * @param schema JSON Schema of definitions of workflows
   */
  @SuppressWarnings("ArrayRecordComponent")
  private record Resources(Contract contract, Page page, byte[] schema) {
    /** Reads them; blocks shortly. */
    static Resources read() {
      return new Resources(Contract.read(), Page.read(), DefinitionSchema.read());
    }
  }

  /**
   * Creates the router of a dashboard for an application that mounts it and never removes it;
   * otherwise use {@link #create} and {@link #close}.
   */
  public static Future<Router> router(
      Vertx vertx, Callboard callboard, Grid grid, DashboardOptions options) {
    return router(vertx, callboard, null, grid, options);
  }

  /**
   * Creates the dashboard for an application that mounts its router and never takes it away.
   *
   * @param jobs the job scheduler of the node; null if it has none
   */
  public static Future<Router> router(
      Vertx vertx, Callboard callboard, @Nullable Jobs jobs, Grid grid, DashboardOptions options) {
    return router(vertx, callboard, jobs, null, grid, options);
  }

  /**
   * Creates the dashboard for an application that mounts its router and never takes it away.
   *
   * @param jobs the job scheduler of the node; null if it has none
   * @param workflows the workflow engine of the node; null if it has none
   */
  public static Future<Router> router(
      Vertx vertx,
      Callboard callboard,
      @Nullable Jobs jobs,
      @Nullable Workflows workflows,
      Grid grid,
      DashboardOptions options) {
    return create(vertx, callboard, jobs, workflows, grid, options).map(Dashboard::router);
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
    return its.setWebSocketSubProtocols(List.of(SUBPROTOCOL))
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
   * Closes the dashboard: disconnects WebSocket clients, ends followed logs and begins nothing
   * further of an action on many; requests under way are finished.
   */
  public Future<Void> close() {
    unlisten.run();
    recorder.close();
    bulk.forEach(BulkRuns::close);
    if (follow != null) {
      follow.close();
    }
    return feed.close().eventually(authentication::close);
  }

  /** Returns the operations on many items of a kind, which end with the dashboard. */
  private <S extends Enum<S>, A extends BulkAction<S>> BulkApi<S, A> bulk(
      Vertx vertx, Time time, Clock clock, BulkKind<S, A> kind) {
    BulkRuns runs = new BulkRuns(vertx, kind, time, clock);
    bulk.add(runs);
    return new BulkApi<>(kind, runs);
  }

  private static void noteAddress(RoutingContext context, Set<String> proxies) {
    Caller.through(context, proxies);
    context.next();
  }

  private void addPage() {
    router.getWithRegex("/?").handler(this::index);
    for (String name : Page.FILES) {
      router.get("/" + page.path(name)).handler(context -> page.serve(context, name));
    }
  }

  /**
   * Serves the page, after a redirect to a path that ends with a slash, as the page refers to its
   * files relatively.
   */
  private void index(RoutingContext context) {
    if (context.request().path().endsWith("/")) {
      page.serve(context);
    } else {
      context
          .response()
          .setStatusCode(308)
          .putHeader("Location", context.request().path() + "/")
          .end();
    }
  }

  private void socket(RoutingContext context) {
    String upgrade = context.request().getHeader("Upgrade");
    if (!"websocket".equalsIgnoreCase(upgrade)) {
      throw ProblemException.malformed(
          List.of(new Fault("", "this is a WebSocket endpoint: the request must be an upgrade")));
    }
    String offered = context.request().getHeader("Sec-WebSocket-Protocol");
    if (offered == null || !List.of(offered.split("\\s*,\\s*")).contains(SUBPROTOCOL)) {
      throw ProblemException.malformed(
          List.of(new Fault("/Sec-WebSocket-Protocol", "must offer " + SUBPROTOCOL)));
    }
    Caller caller = Caller.of(context);
    OperationGuard.require(caller, Role.VIEWER, "the WebSocket");
    if (!feed.enter()) {
      throw ProblemException.overloaded(
          "%d dashboard clients are connected already, which is the limit of this node"
              .formatted(LiveFeed.MOST_CLIENTS));
    }
    Future<ServerWebSocket> upgraded;
    try {
      upgraded = context.request().toWebSocket();
    } catch (RuntimeException e) { // the request has ended meanwhile
      feed.leave();
      throw e;
    }
    upgraded
        .onSuccess(socket -> feed.accept(socket, caller))
        .onFailure(
            cause -> {
              feed.leave();
              context.fail(cause);
            });
  }
}
