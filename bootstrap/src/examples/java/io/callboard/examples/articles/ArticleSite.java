package io.callboard.examples.articles;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Web server with the articles, on loopback. It is busy at the first request for every fifth one,
 * so that one sees retries.
 */
final class ArticleSite {
  private static final String HOST = "127.0.0.1";
  private static final int BUSY_EVERY = 5;

  private final Path directory;
  private final Set<String> articles;
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final HttpServer server;

  /**
   * Creates the site.
   *
   * @param directory where its articles are
   * @param articles their names
   */
  ArticleSite(Vertx vertx, Path directory, List<String> articles) {
    this.directory = directory;
    this.articles = new HashSet<>(articles);
    this.server =
        vertx
            .createHttpServer(new HttpServerOptions().setHost(HOST).setPort(0))
            .requestHandler(this::answer);
  }

  /** Opens it on a free port; completes with its address. */
  Future<String> open() {
    return server.listen().map(open -> "http://%s:%d/".formatted(HOST, open.actualPort()));
  }

  private void answer(HttpServerRequest request) {
    String article = request.path().substring(1);
    if (!articles.contains(article)) {
      var answered = request.response().setStatusCode(404).end();
    } else if (isBusy(article) && asked.add(article)) {
      var answered = request.response().setStatusCode(503).end();
    } else {
      var answered =
          request.response().sendFile(directory.resolve(Articles.file(article)).toString());
    }
  }

  private static boolean isBusy(String article) {
    return Math.floorMod(article.hashCode(), BUSY_EVERY) == 0;
  }
}
