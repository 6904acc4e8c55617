package io.callboard.examples.search;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Clients that search over HTTP, each one query after the other, with words of the documents. A
 * response must have status 200, each share at most once, and its last line; all else is a failure.
 */
public final class SearchLoad {
  private final SearchService service;
  private final List<String> words;
  private final Duration deadline;
  private final RandomGenerator random;
  private final LongSupplier nanoTime;

  /**
   * Creates a load.
   *
   * @param deadline deadline of each query
   * @param nanoTime monotonic clock
   */
  public SearchLoad(
      SearchService service,
      List<String> words,
      Duration deadline,
      RandomGenerator random,
      LongSupplier nanoTime) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException("there are no words to search for");
    }
    this.service = service;
    this.words = words;
    this.deadline = deadline;
    this.random = random;
    this.nanoTime = nanoTime;
  }

  /** Runs {@code clients} clients for {@code duration}; each finishes its last query. */
  public Future<LoadReport> run(Vertx vertx, int clients, Duration duration) {
    HttpClient http =
        vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(clients));
    LoadReport report = new LoadReport();
    long begun = nanoTime.getAsLong();
    List<Future<?>> all = new ArrayList<>();
    // One context for all clients, so that the report needs no lock.
    var context = vertx.getOrCreateContext();
    for (int i = 0; i < clients; i++) {
      Future<Void> client =
          Future.future(
              promise ->
                  context.runOnContext(
                      v -> client(http, begun, duration, report).onComplete(promise)));
      all.add(client);
    }
    return Future.join(all)
        .map(
            v -> {
              report.ended(Duration.ofNanos(nanoTime.getAsLong() - begun));
              return report;
            })
        .eventually(http::close);
  }

  private Future<Void> client(HttpClient http, long begun, Duration duration, LoadReport report) {
    if (nanoTime.getAsLong() - begun >= duration.toNanos()) {
      return Future.succeededFuture();
    }
    return query(http, report).compose(v -> client(http, begun, duration, report));
  }

  private Future<Void> query(HttpClient http, LoadReport report) {
    long sent = nanoTime.getAsLong();
    String uri =
        service.url()
            + "search?limit=10&deadline=%s&q=%s"
                .formatted(deadline, URLEncoder.encode(words(), StandardCharsets.UTF_8));
    return http.request(new RequestOptions().setMethod(HttpMethod.GET).setAbsoluteURI(uri))
        .compose(request -> request.send().compose(response -> whole(response)))
        .map(
            end -> {
              report.answered(
                  nanoTime.getAsLong() - sent,
                  end.getBoolean("partial"),
                  end.getInteger("rerouted") > 0);
              return (Void) null;
            })
        .otherwise(
            cause -> {
              report.failed(String.valueOf(cause.getMessage()));
              return null;
            });
  }

  private String words() {
    String one = words.get(random.nextInt(words.size()));
    String other = words.get(random.nextInt(words.size()));
    return switch (random.nextInt(4)) {
      case 0 -> one + " " + other;
      case 1 -> one + " AND " + other;
      default -> one;
    };
  }

  private static Future<JsonObject> whole(HttpClientResponse response) {
    return response
        .body()
        .compose(
            body ->
                response.statusCode() == 200
                    ? last(body)
                    : Future.failedFuture("status " + response.statusCode()));
  }

  /** Returns the last line, if the response is well-formed. */
  private static Future<JsonObject> last(Buffer body) {
    Set<Integer> shares = new HashSet<>();
    JsonObject line = new JsonObject();
    for (String text : body.toString().lines().toList()) {
      line = new JsonObject(text);
      if (line.getString("type").equals("hits") && !shares.add(line.getInteger("share"))) {
        return Future.failedFuture("a share answered twice");
      }
    }
    return line.getString("type", "").equals("end") && line.getInteger("answered") == shares.size()
        ? Future.succeededFuture(line)
        : Future.failedFuture("the response broke off");
  }
}
