package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.SourceException;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two connections to a server of Redis: one for commands that wait for a message, and one for all
 * others. Once one of them has ended, all calls fail; there is no second try.
 */
final class RedisLink {
  private static final int CONNECT_MS = 5_000;
  private static final int MOST_CALLS_UNDER_WAY = 4_096;
  private static final int LEAST_MAJOR = 6;
  private static final int LEAST_MINOR = 2;

  private final RedisEndpoint server;
  private final Redis waiting;
  private final Redis others;
  private @Nullable RedisConnection waits;
  private @Nullable RedisConnection calls;
  private boolean closed;

  RedisLink(Vertx vertx, RedisEndpoint server) {
    this.server = server;
    this.waiting = Redis.createClient(vertx, options(server));
    this.others = Redis.createClient(vertx, options(server));
  }

  private static RedisOptions options(RedisEndpoint server) {
    NetClientOptions net = new NetClientOptions().setConnectTimeout(CONNECT_MS);
    if (server.tls()) {
      net.setSsl(true).setHostnameVerificationAlgorithm("HTTPS");
      if (server.certificates() != null) {
        net.setTrustOptions(new PemTrustOptions().addCertPath(server.certificates()));
      }
    }
    return new RedisOptions()
        .setNetClientOptions(net)
        .setConnectionString(server.url())
        .setUser(server.user())
        .setPassword(server.password())
        .setPreferredProtocolVersion(ProtocolVersion.RESP2)
        .setMaxPoolSize(1)
        .setPoolCleanerInterval(-1)
        .setMaxWaitingHandlers(MOST_CALLS_UNDER_WAY);
  }

  /** Connects, and refuses a server that is too old. */
  Future<Void> open() {
    return connect(others)
        .compose(
            connected -> {
              calls = connected;
              return connect(waiting);
            })
        .onSuccess(connected -> waits = connected)
        .recover(cause -> Future.failedFuture(failure("no connection", cause)))
        .compose(connected -> call(Request.cmd(Command.INFO).arg("server")))
        .compose(this::checkVersion);
  }

  /** Connects, unless it is closed meanwhile. */
  private Future<RedisConnection> connect(Redis client) {
    return closed
        ? Future.failedFuture("it was closed")
        : client
            .connect()
            .compose(
                connected ->
                    closed
                        ? connected.close().compose(v -> Future.failedFuture("it was closed"))
                        : Future.succeededFuture(connected));
  }

  private Future<Void> checkVersion(@Nullable Response info) {
    String version =
        String.valueOf(info)
            .lines()
            .filter(line -> line.startsWith("redis_version:"))
            .map(line -> line.substring("redis_version:".length()).strip())
            .findFirst()
            .orElse("");
    if (version.matches("[0-9]{1,4}\\.[0-9]{1,4}.*")) {
      String[] parts = version.split("\\.", 3);
      int major = Integer.parseInt(parts[0]);
      int minor = Integer.parseInt(parts[1]);
      if (major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR)) {
        return Future.failedFuture(
            new SourceException("%s is of version %s; 6.2 is needed".formatted(server, version)));
      }
    }
    return Future.succeededFuture();
  }

  /** Calls a command that answers at once. */
  Future<@Nullable Response> call(Request request) {
    return send(calls, request, request.command().toString());
  }

  /** Calls a command that waits. */
  Future<@Nullable Response> await(Request request) {
    return send(waits, request, request.command().toString());
  }

  /** Runs a script; the server keeps its text from the first time on. */
  Future<@Nullable Response> run(Script script, List<String> keys, List<?> arguments) {
    String name = script.name();
    return send(calls, request(Command.EVALSHA, script.digest(), keys, arguments), name)
        .recover(
            failure ->
                isUnknownScript(failure)
                    ? send(calls, request(Command.EVAL, script.text(), keys, arguments), name)
                    : Future.failedFuture(failure));
  }

  private static boolean isUnknownScript(Throwable failure) {
    return failure.getCause() != null
        && String.valueOf(failure.getCause().getMessage()).startsWith("NOSCRIPT");
  }

  private static Request request(
      Command command, String script, List<String> keys, List<?> arguments) {
    Request request = Request.cmd(command).arg(script).arg(keys.size());
    keys.forEach(request::arg);
    arguments.forEach(argument -> request.arg(String.valueOf(argument)));
    return request;
  }

  private Future<@Nullable Response> send(
      @Nullable RedisConnection connection, Request request, String what) {
    if (connection == null) {
      return Future.failedFuture(new SourceException(server + ": there is no connection"));
    }
    return connection.send(request).recover(cause -> Future.failedFuture(failure(what, cause)));
  }

  private SourceException failure(String what, Throwable cause) {
    String message = Causes.message(cause);
    return new SourceException("%s: %s: %s".formatted(server, what, message), cause);
  }

  /** Ends the connection that waits for messages. */
  Future<Void> endWaiting() {
    closed = true;
    waits = null;
    return waiting.close();
  }

  /** Ends both connections. */
  Future<Void> close() {
    calls = null;
    return endWaiting().eventually(others::close);
  }

  @Override
  public String toString() {
    return server.toString();
  }
}
