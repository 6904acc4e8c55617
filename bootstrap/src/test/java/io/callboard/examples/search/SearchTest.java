package io.callboard.examples.search;

import static io.callboard.examples.search.SearchStage.DOCUMENTS;
import static io.callboard.examples.search.SearchStage.SHARES;
import static io.callboard.examples.search.SearchStage.last;
import static io.callboard.examples.search.SearchStage.merged;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.search.Corpus.Entry;
import io.callboard.examples.search.Found.Hit;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.LogCapture;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** The whole search, over HTTP, with Lucene on disk. */
@Tag("real")
class SearchTest {
  private SearchStage stage;

  @BeforeEach
  void documents() throws Exception {
    stage = new SearchStage();
  }

  @AfterEach
  void end() throws Exception {
    stage.close();
  }

  private List<Hit> inOneIndex(String query, int limit) throws Exception {
    List<Entry> all =
        CorpusFinder.find(stage.options.documents().orElseThrow(), DOCUMENTS).share(0, 1);
    Path path = stage.directory.resolve("whole");
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
    try (ShareIndex whole = ShareIndex.open(0, path, fingerprint)) {
      assertThat(whole.documents()).isEqualTo(DOCUMENTS);
      Found found = whole.find(QuerySyntax.parse(query), Statistics.NONE, limit, () -> false);
      return found.hits();
    }
  }

  @Test
  void theResultIsThatOfOneIndex() throws Exception {
    stage.start();
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
      List<JsonObject> lines = stage.search(query, 25, Duration.ofSeconds(10));
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
  void matchesAreMarkedAndNothingIsMarkup() throws Exception {
    Files.writeString(
        stage.directory.resolve("documents/evil.txt"), "before <img src=x onerror=alert(1)> after");
    stage.start();
    JsonObject hit = merged(stage.search("onerror", 1, Duration.ofSeconds(5)), 1).get(0);
    assertThat(hit.getString("document")).isEqualTo("evil.txt");
    JsonArray snippet = hit.getJsonArray("snippet");
    assertThat(snippet.stream().map(piece -> ((JsonObject) piece).getString("text")))
        .containsExactly("before <img src=x ", "onerror", "=alert(1)> after");
    assertThat(snippet.stream().map(piece -> ((JsonObject) piece).getBoolean("match")))
        .containsExactly(false, true, false);
  }

  @Test
  void anIndexIsMadeCopiedAndFoundAgain() throws Exception {
    try (LogCapture log = LogCapture.of(SearchNode.class.getName(), Level.INFO)) {
      stage.start();
      for (int share = 0; share < SHARES; share++) {
        log.expect(Level.INFO, stage.tree(0).node(share) + ": index made");
        log.expect(Level.INFO, stage.tree(1).node(share) + ": index copied");
      }
    }
    Eventually.isTrue("the indexer has ended", () -> stage.below(stage.tree(0).node(0)).isEmpty());
    await(stage.service.close());
    try (Stream<Path> lost = Files.list(stage.tree(0).directory(1))) {
      for (Path file : lost.toList()) {
        Files.delete(file);
      }
    }
    try (LogCapture log = LogCapture.of(SearchNode.class.getName(), Level.INFO)) {
      stage.start();
      log.expect(Level.INFO, stage.tree(0).node(1) + ": index copied");
      assertThat(log.lines()).as("the others are found").hasSize(1);
    }
    assertThat(last(stage.search("q=tree&deadline=PT5S")).getBoolean("partial")).isFalse();
  }

  @Test
  void aBadRequestIsNamed() throws Exception {
    stage.start();
    for (Map.Entry<String, String> each :
        Map.of(
                "/search", "there is no query",
                "/search?q=a+AND+(", "Encountered",
                "/search?q=%22open", "Lexical error",
                "/search?q=secret:x", "there is no field [secret]",
                "/search?q=a&limit=0", "limit is 1 to 50, not \\\"0\\\"",
                "/search?q=a&enough=x", "enough is 1 to 1000, not \\\"x\\\"",
                "/search?q=a&deadline=1h", "deadline is PT0.05S to PT10S",
                "/search?q=a&q=b", "one each of",
                "/search?q=a&x=1", "one each of [q, limit, enough, deadline], not x")
            .entrySet()) {
      HttpResponse<String> response = stage.get(each.getKey());
      assertThat(response.statusCode()).as(each.getKey()).isEqualTo(400);
      assertThat(response.body()).contains(each.getValue());
    }
    assertThat(stage.get("/nope").statusCode()).isEqualTo(404);
    assertThat(stage.get("/nodes/a/0/kill").statusCode()).isEqualTo(405);
    assertThat(stage.post("/nodes/a/9/kill")).isEqualTo(404);
    assertThat(stage.post("/search?q=a")).isEqualTo(405);
    assertThat(stage.get("/").body()).contains("<title>Search</title>");
    assertThat(stage.get("/").headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'");
  }

  @Test
  void nobodyKillsWithoutChaos() throws Exception {
    stage.options.chaos(false);
    stage.start();
    assertThat(stage.post("/nodes/a/0/kill")).isEqualTo(404);
  }

  @Test
  void strangersNamesAreRefused() throws Exception {
    stage.start();
    int port = URI.create(stage.service.url()).getPort();
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
