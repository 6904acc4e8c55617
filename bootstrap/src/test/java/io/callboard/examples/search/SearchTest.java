package io.callboard.examples.search;

import static io.callboard.testkit.Futures.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.search.Corpus.Entry;
import io.callboard.examples.search.Found.Hit;
import io.callboard.examples.search.Overseer.Phase;
import io.callboard.examples.search.Overseer.Status;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole search, over HTTP, with Lucene on disk. */
class SearchTest {
  private static final int DOCUMENTS = 400;
  private static final int SHARES = 3;

  /** What a busy machine may add to a deadline. */
  private static final long SLACK_MS = 500;

  private static final InstantSource CLOCK = InstantSource.system();

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private Path directory;
  private SearchOptions options;
  private SearchService service;

  @BeforeEach
  void documents() throws Exception {
    Path parent = Files.createDirectories(Path.of("target", "search"));
    directory = Files.createTempDirectory(parent, "test-");
    options =
        new SearchOptions(directory.resolve("data"))
            .documents(Documents.make(directory.resolve("documents"), DOCUMENTS))
            .nodes(SHARES)
            .chaos(true);
  }

  @AfterEach
  void end() throws Exception {
    if (service != null) {
      await(service.close());
    }
    await(vertx.close());
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Starts, and waits until both trees are up. */
  private void start() throws Exception {
    service =
        await(
            SearchService.start(
                vertx, options, CLOCK, new SplittableRandom(1), line -> lines.add(line)));
    awaitStatus(status -> status.trees().stream().allMatch(tree -> tree.phase() == Phase.UP));
  }

  private Status awaitStatus(java.util.function.Predicate<Status> condition) throws Exception {
    long until = System.nanoTime() + SECONDS.toNanos(30);
    while (true) {
      Status status =
          await(
              service
                  .callboard()
                  .ref(Tree.OVERSEER, Overseer.Message.class)
                  .ask(new Overseer.Message.Ask(), Status.class));
      if (condition.test(status)) {
        return status;
      }
      assertThat(System.nanoTime()).as("still %s; %s", status, lines).isLessThan(until);
      await(vertx.timer(20).mapEmpty());
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(service.url()).resolve(path)).build(),
        BodyHandlers.ofString());
  }

  private int post(String path) throws Exception {
    return http.send(
            HttpRequest.newBuilder(URI.create(service.url()).resolve(path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  private List<JsonObject> search(String query, int limit, Duration deadline) throws Exception {
    HttpResponse<String> response =
        get(
            "/search?q=%s&limit=%d&deadline=%s"
                .formatted(URLEncoder.encode(query, StandardCharsets.UTF_8), limit, deadline));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/x-ndjson");
    return response.body().lines().map(JsonObject::new).toList();
  }

  private static JsonObject last(List<JsonObject> lines) {
    return lines.get(lines.size() - 1);
  }

  /** The shares' hits as a client merges them. */
  private static List<JsonObject> merged(List<JsonObject> lines, int limit) {
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

  private List<Hit> inOneIndex(String query, int limit) throws Exception {
    List<Entry> all = CorpusFinder.find(options.documents().orElseThrow(), DOCUMENTS).share(0, 1);
    Path path = directory.resolve("whole");
    String fingerprint = Corpus.fingerprint(all);
    if (!Files.exists(path)) {
      try (Directory lucene = SearchIndex.directory(path);
          IndexWriter writer = SearchIndex.writer(lucene);
          CorpusReader reader = new CorpusReader()) {
        for (Entry entry : all) {
          String text = reader.read(entry).orElseThrow();
          writer.addDocument(SearchIndex.document(entry.id(), text));
        }
        SearchIndex.complete(writer, fingerprint);
      }
    }
    try (ShareIndex whole = ShareIndex.open(0, path, fingerprint, CLOCK)) {
      assertThat(whole.documents()).isEqualTo(DOCUMENTS);
      Found found =
          whole.find(
              QuerySyntax.parse(query), Statistics.sum(List.of()), limit, CLOCK.millis() + 10_000);
      return found.hits();
    }
  }

  @Test
  void theResultIsThatOfOneIndex() throws Exception {
    start();
    for (String query :
        List.of(
            "tree",
            "actor",
            "number7",
            "scatter gather",
            "mailbox AND outbox",
            "\"call durable\"",
            "+lease -tree",
            "restart^3 query number3",
            "name:part3 journal",
            "jour*",
            "*:*")) {
      List<Hit> expected = inOneIndex(query, 25);
      List<JsonObject> lines = search(query, 25, Duration.ofSeconds(5));
      List<JsonObject> hits = merged(lines, 25);

      assertThat(expected).as(query).isNotEmpty();
      assertThat(hits.stream().map(hit -> hit.getString("document")))
          .as(query)
          .containsExactlyElementsOf(expected.stream().map(Hit::document).toList());
      assertThat(hits.stream().map(hit -> hit.getFloat("score")))
          .as(query)
          .containsExactlyElementsOf(expected.stream().map(Hit::score).toList());
      assertThat(last(lines).getBoolean("partial")).isFalse();
      assertThat(last(lines).getInteger("answered")).isEqualTo(SHARES);
    }
  }

  @Test
  void whatMatchedIsMarkedAndNothingIsMarkup() throws Exception {
    Files.writeString(
        directory.resolve("documents/evil.txt"), "before <img src=x onerror=alert(1)> after");
    start();
    JsonObject hit = merged(search("onerror", 1, Duration.ofSeconds(5)), 1).get(0);
    assertThat(hit.getString("document")).isEqualTo("evil.txt");
    JsonArray snippet = hit.getJsonArray("snippet");
    assertThat(snippet.stream().map(piece -> ((JsonObject) piece).getString("text")))
        .containsExactly("before <img src=x ", "onerror", "=alert(1)> after");
    assertThat(snippet.stream().map(piece -> ((JsonObject) piece).getBoolean("match")))
        .containsExactly(false, true, false);
  }

  @Test
  void noQueryFailsWhileNodesAreKilled() throws Exception {
    options.killEvery(Duration.ofMillis(100)).treeIntensity(10, Duration.ofSeconds(10));
    start();
    SearchLoad load =
        new SearchLoad(
            service,
            service.words(),
            Duration.ofSeconds(1),
            new SplittableRandom(2),
            System::nanoTime);
    LoadReport report = await(load.run(vertx, 8, Duration.ofSeconds(4)));

    assertThat(report.failures()).as("%s", report).isEmpty();
    assertThat(report.answered()).as("%s", report).isGreaterThan(20);
    assertThat(report.rerouted()).as("%s", report).isPositive();
    assertThat(report.latency(1)).as("%s", report).isLessThan(1000 + SLACK_MS);
    Status status = awaitStatus(any -> true);
    assertThat(status.trees().stream().mapToLong(tree -> tree.restarts()).sum())
        .as("%s; %s", status, lines)
        .isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aKilledNodeComesBackAlone(int share) throws Exception {
    start();
    assertThat(post("/nodes/a/%d/kill".formatted(share))).isEqualTo(202);
    Status status = awaitStatus(seen -> seen.trees().get(0).nodeRestarts() > 0);
    assertThat(status.trees()).allMatch(tree -> tree.phase() == Phase.UP && tree.restarts() == 0);
    JsonObject end = last(search("tree", 5, Duration.ofSeconds(5)));
    assertThat(end.getBoolean("partial")).isFalse();
  }

  @Test
  void aTreeThatFailsTooOftenIsRestartedAndTheOtherServes() throws Exception {
    options.treeIntensity(1, Duration.ofMinutes(1));
    start();
    assertThat(awaitStatus(any -> true).serving()).isEqualTo("a");
    post("/nodes/a/0/kill");
    post("/nodes/a/1/kill");
    Status moved = awaitStatus(status -> status.serving().equals("b"));
    assertThat(moved.trees().get(0).restarts()).isEqualTo(1);
    assertThat(moved.trees().get(0).why()).contains("more than 1 restarts within PT1M");

    JsonObject end = last(search("tree", 5, Duration.ofSeconds(5)));
    assertThat(end.getBoolean("partial")).isFalse();
    assertThat(end.getJsonArray("trees")).containsExactly("b");
    awaitStatus(status -> status.trees().get(0).phase() == Phase.UP);
    assertThat(awaitStatus(any -> true).serving()).as("it goes on to serve").isEqualTo("b");
  }

  @Test
  void aResponseEndsAtItsDeadlineAndSaysWhatIsMissing() throws Exception {
    start();
    for (int round = 0; round < 5; round++) {
      for (Tree tree : options.trees()) {
        await(service.callboard().stop(tree.node(round % SHARES)));
      }
      long sent = System.nanoTime();
      List<JsonObject> lines = search("tree", 5, Duration.ofMillis(150));
      long took = Duration.ofNanos(System.nanoTime() - sent).toMillis();
      JsonObject end = last(lines);

      assertThat(took).isLessThan(150 + SLACK_MS);
      assertThat(end.getString("type")).isEqualTo("end");
      int missing = end.getJsonArray("missing", new JsonArray()).size();
      assertThat(end.getInteger("answered") + missing).isEqualTo(SHARES);
      assertThat(end.getBoolean("partial")).isEqualTo(missing > 0);
      assertThat(lines.stream().filter(line -> line.getString("type").equals("hits")))
          .hasSize(end.getInteger("answered"));
      awaitStatus(status -> status.trees().stream().allMatch(tree -> tree.phase() == Phase.UP));
    }
  }

  @Test
  void anIndexIsFoundAgainAndALostOneIsCopied() throws Exception {
    start();
    assertThat(lines).anyMatch(line -> line.startsWith("tree a: index made"));
    assertThat(lines).anyMatch(line -> line.startsWith("tree b: index copied"));
    await(service.close());
    try (Stream<Path> lost = Files.list(options.trees().get(0).directory(1))) {
      for (Path file : lost.toList()) {
        Files.delete(file);
      }
    }
    lines.clear();
    start();
    assertThat(lines).anyMatch(line -> line.startsWith("tree a: index copied and found"));
    assertThat(lines).anyMatch(line -> line.startsWith("tree b: index found"));
  }

  @Test
  void aBadRequestIsNamed() throws Exception {
    start();
    for (Map.Entry<String, String> each :
        Map.of(
                "/search", "there is no query",
                "/search?q=a+AND+(", "Encountered",
                "/search?q=%22open", "Lexical error",
                "/search?q=secret:x", "there is no field [secret]",
                "/search?q=a&limit=0", "limit is 1 to 50, not \\\"0\\\"",
                "/search?q=a&deadline=1h", "deadline is PT0.05S to PT10S",
                "/search?q=a&q=b", "one each of",
                "/search?q=a&x=1", "one each of [q, limit, deadline], not x")
            .entrySet()) {
      HttpResponse<String> response = get(each.getKey());
      assertThat(response.statusCode()).as(each.getKey()).isEqualTo(400);
      assertThat(response.body()).contains(each.getValue());
    }
    assertThat(get("/nope").statusCode()).isEqualTo(404);
    assertThat(get("/nodes/a/0/kill").statusCode()).isEqualTo(405);
    assertThat(post("/nodes/a/9/kill")).isEqualTo(404);
    assertThat(post("/search?q=a")).isEqualTo(405);
    assertThat(get("/").body()).contains("<title>Search</title>");
    assertThat(get("/").headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'");
  }

  @Test
  void nobodyKillsWithoutChaos() throws Exception {
    options.chaos(false);
    start();
    assertThat(post("/nodes/a/0/kill")).isEqualTo(404);
  }

  @Test
  void strangersNamesAreRefused() throws Exception {
    start();
    int port = URI.create(service.url()).getPort();
    List<String> answers = new ArrayList<>();
    for (String host : List.of("evil.example:" + port, "127.0.0.1:" + port)) {
      try (var socket = new java.net.Socket("127.0.0.1", port)) {
        String request =
            "GET /status HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(host);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        answers.add(answer.lines().findFirst().orElse(""));
      }
    }
    assertThat(answers).containsExactly("HTTP/1.1 403 Forbidden", "HTTP/1.1 200 OK");
  }
}
