package io.callboard.dashboard;

import io.callboard.dashboard.internal.contract.Problem;
import io.callboard.dashboard.internal.contract.Problems;
import io.callboard.dashboard.internal.guard.HostRule;
import io.callboard.part.NodePart;
import io.callboard.part.RunningNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;

/** Server of the dashboard on an address of its own. */
public final class DashboardServer {
  private static final int IDLE_SECONDS = 120;

  /** A bind to a port up to this one may also fail because it needs more rights. */
  private static final int LAST_PRIVILEGED_PORT = 1023;

  private static final Problem UNREADABLE =
      Problem.of(Problem.Kind.MALFORMED, "the request cannot be read");
  private static final long FINISH_WITHIN_SECONDS = 5;

  private final HttpServer server;
  private final Dashboard dashboard;
  private final String host;

  private DashboardServer(HttpServer server, Dashboard dashboard, String host) {
    this.server = server;
    this.dashboard = dashboard;
    this.host = host;
  }

  /**
   * Checks the options, to fail before anything is started.
   *
   * @throws IllegalArgumentException if others than local users could reach the dashboard, there is
   *     no {@link DashboardOptions#auth() login}, and {@link DashboardOptions#insecure()} is false;
   *     the message is one line for the operator
   */
  static void check(DashboardOptions options) {
    if (!HostRule.isLoopback(options.host()) && !options.insecure() && options.auth().isEmpty()) {
      throw new IllegalArgumentException(
          "host %s lets other machines act on this node without authentication: give it a login (auth), choose 127.0.0.1, or accept that (insecure)"
              .formatted(options.host()));
    }
  }

  /** Returns the dashboard as a part of a node, at a port of 127.0.0.1. */
  public static NodePart<DashboardServer> on(int port) {
    return part(new DashboardOptions().port(port));
  }

  /**
   * Returns the dashboard as a part of a node, on an address of its own, with the job scheduler,
   * the workflow engine and the sources that the node has when it starts.
   *
   * @param options options, which are copied
   */
  public static NodePart<DashboardServer> part(DashboardOptions options) {
    return new DashboardServerPart(new DashboardOptions(options));
  }

  /**
   * Starts to listen.
   *
   * @return fails with {@link BindException} if the address is in use or not available; the message
   *     is one line for the operator
   */
  static Future<DashboardServer> open(RunningNode node, DashboardOptions options) {
    Vertx vertx = node.vertx();
    String host = options.host();
    HttpServerOptions serverOptions =
        Dashboard.serverOptions(
            new HttpServerOptions()
                .setHost(host)
                .setPort(options.port())
                .setIdleTimeout(IDLE_SECONDS)
                .setMaxInitialLineLength(8 * 1024)
                .setMaxHeaderSize(16 * 1024)
                .setHttp2ClearTextEnabled(false)
                .setCompressionSupported(true));
    return Dashboard.create(node, options)
        .compose(
            dashboard ->
                listen(vertx, serverOptions, dashboard)
                    .map(server -> new DashboardServer(server, dashboard, host))
                    .recover(
                        cause ->
                            dashboard
                                .close()
                                .transform(closed -> notBound(vertx, options, cause))));
  }

  /**
   * Fails if nothing can listen on the port, before anything is started. Blocks shortly.
   *
   * @throws BindException if the address is in use or not available; the message is one line
   */
  static void checkFree(String host, int port) throws IOException {
    if (port == 0) {
      return;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (BindException e) {
      throw because(whyNotBound(host, port, e), e);
    }
  }

  private static BindException because(String why, Throwable cause) {
    BindException failure = new BindException(why);
    failure.initCause(cause);
    return failure;
  }

  private static Future<HttpServer> listen(
      Vertx vertx, HttpServerOptions options, Dashboard dashboard) {
    // requests that Vert.x refuses before any route; otherwise it would log them with a stack trace
    Router router =
        Router.router(vertx).errorHandler(400, context -> Problems.write(context, UNREADABLE));
    router.route("/*").subRouter(dashboard.router());
    router
        .route()
        .last()
        .handler(
            context ->
                Problems.write(
                    context,
                    Problem.of(
                        Problem.Kind.NOT_FOUND, "there is nothing at " + context.request().path())))
        .failureHandler(Problems::write);
    return vertx
        .createHttpServer(options)
        .connectionHandler(StrictDecoder.on(options))
        .requestHandler(router)
        .listen();
  }

  private static <T> Future<T> notBound(Vertx vertx, DashboardOptions options, Throwable cause) {
    return vertx
        .executeBlocking(() -> whyNotBound(options.host(), options.port(), cause))
        .compose(why -> Future.failedFuture(because(why, cause)));
  }

  /**
   * Returns why nothing can listen on an address, in one line for the operator. Blocks: it looks
   * whether the host has the address, for the failure is the same as that of a port in use.
   *
   * @param cause failure of the attempt to listen
   */
  static String whyNotBound(String host, int port, Throwable cause) {
    return cause instanceof BindException && port > LAST_PRIVILEGED_PORT && isOfThisMachine(host)
        ? "port %d on %s is in use".formatted(port, host)
        : "cannot listen on port %d of %s: %s".formatted(port, host, cause.getMessage());
  }

  /** Returns whether something can listen on the host's address, on whichever port is free. */
  private static boolean isOfThisMachine(String host) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(InetAddress.getByName(host), 0));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the port on which the server listens. */
  public int port() {
    return server.actualPort();
  }

  /** Returns the URL of the page. */
  public String url() {
    boolean anyAddress = host.equals("0.0.0.0") || host.equals("::");
    String name = anyAddress ? "localhost" : host.contains(":") ? "[" + host + "]" : host;
    return "http://%s:%d/".formatted(name, port());
  }

  /** Stops taking requests, finishes those under way within 5 s, and disconnects watchers. */
  public Future<Void> close() {
    return dashboard
        .close()
        .transform(ignored -> server.shutdown(FINISH_WITHIN_SECONDS, TimeUnit.SECONDS));
  }
}
