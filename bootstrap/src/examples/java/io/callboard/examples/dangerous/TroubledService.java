package io.callboard.examples.dangerous;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The service: it has prices and takes orders, if it is well. What is put twice it takes once: its
 * clients try at least once. Counts what arrives. Thread-safe.
 */
final class TroubledService {
  /** Condition of the service. */
  enum Mode {
    WELL,
    /** Answers 500. */
    FAILS,
    /** Takes requests and answers nothing. */
    HANGS
  }

  private final Map<Mode, Long> arrived = new EnumMap<>(Mode.class);
  private final Set<Long> orders = new LinkedHashSet<>();
  private Mode mode = Mode.WELL;
  private long repeated;
  private @Nullable HttpServer server;

  /** Starts the service; returns its port on the loopback interface. */
  Future<Integer> start(Vertx vertx) {
    return vertx
        .createHttpServer()
        .requestHandler(this::handle)
        .listen(0, "localhost")
        .map(
            listening -> {
              server = listening;
              return listening.actualPort();
            });
  }

  Future<Void> stop() {
    return server == null ? Future.succeededFuture() : server.close();
  }

  synchronized void is(Mode now) {
    mode = now;
  }

  synchronized Mode mode() {
    return mode;
  }

  private synchronized void handle(HttpServerRequest request) {
    arrived.merge(mode, 1L, Long::sum);
    if (mode == Mode.FAILS) {
      Future<Void> unused = request.response().setStatusCode(500).end();
    } else if (mode == Mode.WELL) {
      long number = Long.parseLong(request.path().substring("/prices/".length()));
      if (request.method() == HttpMethod.PUT && !orders.add(number)) {
        repeated++;
      }
      Future<Void> unused = request.response().end(String.valueOf(100 + number % 900));
    }
  }

  /** Requests that came in any mode. */
  synchronized long arrived() {
    return arrived.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Requests that came while it was well, or was not. */
  synchronized long arrived(boolean well) {
    long whileWell = arrived.getOrDefault(Mode.WELL, 0L);
    return well ? whileWell : arrived() - whileWell;
  }

  /** Orders that it had already. */
  synchronized long repeated() {
    return repeated;
  }

  /** Returns the orders that it accepted, in the order of their arrival. */
  synchronized List<Long> orders() {
    return List.copyOf(orders);
  }
}
