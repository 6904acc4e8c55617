package io.callboard.examples.search;

import io.callboard.admin.FailureZoneStatus;
import io.callboard.examples.search.QuerySyntax.BadQuery;
import io.callboard.examples.search.SearchRequest.BadRequest;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.HostAndPort;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Router of the front end's HTTP requests; refuses foreign hosts and methods. */
final class SearchHttp implements Handler<HttpServerRequest> {
  private static final Logger log = LoggerFactory.getLogger(SearchHttp.class);
  private static final Pattern KILL = Pattern.compile("/nodes/([a-z]{1,20})/(\\d{1,4})/kill");
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  private final FrontEnd frontEnd;
  private final SearchOptions options;
  private final Page page;
  private final SearchCounts counts;

  SearchHttp(FrontEnd frontEnd, SearchOptions options, Page page, SearchCounts counts) {
    this.frontEnd = frontEnd;
    this.options = options;
    this.page = page;
    this.counts = counts;
  }

  @Override
  public void handle(HttpServerRequest request) {
    request
        .response()
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer");
    if (!isOurs(request.authority())) {
      problem(request, 403, "this server does not answer under that name");
      return;
    }
    Matcher kill = KILL.matcher(request.path());
    if (kill.matches() && options.chaos()) {
      kill(request, kill.group(1), Integer.parseInt(kill.group(2)));
    } else if (request.path().equals("/search")) {
      get(request, this::search);
    } else if (request.path().equals("/status")) {
      get(request, this::status);
    } else if (page.has(request.path())) {
      get(request, asked -> page.serve(asked.path(), asked.response()));
    } else {
      problem(request, 404, "there are /, /search?q=…&limit=…&enough=…&deadline=… and /status");
    }
  }

  /**
   * Returns whether a request names this machine: a hostile page can make its own name resolve to
   * this machine, but cannot change the name that is sent.
   */
  private boolean isOurs(@Nullable HostAndPort authority) {
    if (authority == null) {
      return false;
    }
    String host = authority.host().toLowerCase(Locale.ROOT);
    return LOOPBACK.contains(host) || host.equals(options.host());
  }

  private static void get(HttpServerRequest request, Handler<HttpServerRequest> handler) {
    if (request.method().equals(HttpMethod.GET)) {
      handler.handle(request);
    } else {
      request.response().putHeader("Allow", "GET");
      problem(request, 405, "only GET is allowed here");
    }
  }

  private void search(HttpServerRequest request) {
    SearchRequest search;
    try {
      search = SearchRequest.of(request.params());
    } catch (BadQuery | BadRequest e) {
      problem(request, 400, String.valueOf(e.getMessage()));
      return;
    }
    if (frontEnd.isFull()) {
      counts.refused.increment();
      request.response().putHeader("Retry-After", "1");
      problem(request, 503, "%d queries are under way: try later".formatted(FrontEnd.MAX_OPEN));
      return;
    }
    frontEnd.search(search, request);
  }

  private void status(HttpServerRequest request) {
    JsonArray trees = new JsonArray();
    frontEnd.zones().forEach(zone -> trees.add(json(zone)));
    json(
        request.response(),
        new JsonObject()
            .put("serving", frontEnd.serving())
            .put("trees", trees)
            .put("counts", counts.json()));
  }

  /** Returns a tree as far as it is on this member. */
  private static JsonObject json(FailureZoneStatus zone) {
    return new JsonObject()
        .put("tree", zone.path().name())
        .put("state", zone.state().name())
        .put("restarts", zone.restarts())
        .put("childRestarts", zone.childRestarts())
        .put("why", zone.lastFailure());
  }

  private void kill(HttpServerRequest request, String tree, int share) {
    if (!request.method().equals(HttpMethod.POST)) {
      request.response().putHeader("Allow", "POST");
      problem(request, 405, "a node is killed by POST");
    } else if (request.getHeader("Origin") != null) {
      problem(request, 403, "a node is killed by programs, not by pages");
    } else {
      frontEnd
          .kill(tree, share)
          .onSuccess(killed -> request.response().setStatusCode(202).end().onFailure(this::gone))
          .onFailure(cause -> failed(request, cause));
    }
  }

  private static void failed(HttpServerRequest request, Throwable cause) {
    problem(request, cause instanceof BadRequest ? 404 : 503, String.valueOf(cause.getMessage()));
  }

  private static void problem(HttpServerRequest request, int status, String detail) {
    HttpServerResponse response = request.response().setStatusCode(status);
    response.putHeader("Content-Type", "application/problem+json");
    Future<Void> sent =
        response.end(
            new JsonObject()
                .put("type", "about:blank")
                .put("title", response.getStatusMessage())
                .put("status", status)
                .put("detail", detail)
                .encode());
    sent.onFailure(cause -> log.debug("the client of {} is gone", request.path(), cause));
  }

  private void json(HttpServerResponse response, JsonObject json) {
    response
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(json.encode())
        .onFailure(this::gone);
  }

  private void gone(Throwable cause) {
    log.debug("a client is gone", cause);
  }
}
