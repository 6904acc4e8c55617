package io.callboard.examples.search;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.CallboardOptions;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.admin.FailureZoneStatus.State;
import io.callboard.testkit.Eventually;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** A search over some documents, in a directory of its own, and a client of it. */
final class SearchStage implements AutoCloseable {
  static final int DOCUMENTS = 400;
  static final int SHARES = 3;

  /** Tolerated delay beyond a deadline on a busy machine, in milliseconds. */
  static final long SLACK_MS = 500;

  final Vertx vertx = Vertx.vertx();
  final HttpClient http = HttpClient.newHttpClient();
  final Queue<String> lines = new ConcurrentLinkedQueue<>();
  final Path directory;
  final SearchOptions options;
  SearchService service;

  SearchStage() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "search"));
    directory = Files.createTempDirectory(parent, "test-");
    options =
        new SearchOptions(directory.resolve("data"))
            .documents(Documents.make(directory.resolve("documents"), DOCUMENTS))
            .nodes(SHARES)
            .chaos(true);
  }

  @Override
  public void close() throws IOException {
    if (service != null) {
      await(service.close());
    }
    await(vertx.close());
    delete(directory);
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  void start() {
    service =
        await(
            SearchService.start(
                vertx, new CallboardOptions().name("search"), options, line -> lines.add(line)));
  }

  Tree tree(int number) {
    return options.trees().get(number);
  }

  FailureZoneStatus zone(int tree) {
    return service.callboard().admin().failureZones().stream()
        .filter(zone -> zone.path().toString().equals(tree(tree).path()))
        .findFirst()
        .orElseThrow();
  }

  void awaitRunning() {
    Eventually.isTrue(
        "both trees run",
        () -> zone(0).state() == State.RUNNING && zone(1).state() == State.RUNNING);
  }

  /** Returns the paths of the actors below that one on this node. */
  List<String> below(String path) {
    return await(service.callboard().admin().running()).stream()
        .map(actor -> actor.path().toString())
        .filter(actor -> actor.startsWith(path + "/"))
        .toList();
  }

  void kill(String path) {
    await(service.callboard().ref(path, Kill.class).tell(new Kill()));
  }

  HttpResponse<String> get(String path) throws Exception {
    return http.send(request(path).build(), BodyHandlers.ofString());
  }

  int post(String path) throws Exception {
    return http.send(
            request(path).POST(HttpRequest.BodyPublishers.noBody()).build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(service.url()).resolve(path));
  }

  /** Returns the lines of a response; {@code parameters} are for example {@code q=tree&limit=5}. */
  List<JsonObject> search(String parameters) throws Exception {
    return lines(get("/search?" + parameters));
  }

  /** Starts a search and returns its future response. */
  CompletableFuture<List<JsonObject>> searching(String parameters) {
    return http.sendAsync(request("/search?" + parameters).build(), BodyHandlers.ofString())
        .thenApply(SearchStage::lines);
  }

  List<JsonObject> search(String query, int limit, Duration deadline) throws Exception {
    String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
    return search("q=%s&limit=%d&deadline=%s".formatted(encoded, limit, deadline));
  }

  private static List<JsonObject> lines(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/x-ndjson");
    return response.body().lines().map(JsonObject::new).toList();
  }

  static JsonObject last(List<JsonObject> lines) {
    return lines.get(lines.size() - 1);
  }

  /** Returns the shares' hits merged as by a client. */
  static List<JsonObject> merged(List<JsonObject> lines, int limit) {
    return lines.stream()
        .filter(line -> line.getString("type").equals("hits"))
        .flatMap(line -> line.getJsonArray("hits").stream())
        .map(JsonObject.class::cast)
        .sorted(
            Comparator.<JsonObject>comparingDouble(hit -> -hit.getFloat("score"))
                .thenComparing(hit -> hit.getString("document")))
        .limit(limit)
        .toList();
  }
}
