package io.callboard.pollers.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.callboard.codecs.fields.FieldDefect;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.HostileBodies;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContract;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMemory;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.pollers.source.SourceSettingException;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conformance of the source on a feed of a real HTTP server, with a memory that outlives it. */
@Tag("real")
class FeedSourceTest extends SourceContract {
  private final PlayedMemory memory = new PlayedMemory();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final List<Integer> answers = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private volatile String instead;
  private volatile boolean fails;
  private volatile int refusal = 503;
  private volatile String retryAfter = "";

  @Override
  protected void makeQueue(String name) {
    server =
        vertx()
            .createHttpServer(new HttpServerOptions().setCompressionSupported(true))
            .requestHandler(this::answer);
    Futures.await(server.listen(0, "127.0.0.1"));
  }

  private void answer(HttpServerRequest request) {
    if (fails) {
      answers.add(refusal);
      if (!retryAfter.isEmpty()) {
        request.response().putHeader("Retry-After", retryAfter);
      }
      request.response().setStatusCode(refusal).end();
      return;
    }
    String document = instead == null ? document() : instead;
    String tag = "\"%x\"".formatted(document.hashCode());
    boolean same = tag.equals(request.getHeader("If-None-Match"));
    switch (request.path()) {
      case "/feed" -> {
        answers.add(same ? 304 : 200);
        request
            .response()
            .setStatusCode(same ? 304 : 200)
            .putHeader("ETag", tag)
            .putHeader("Content-Type", "application/rss+xml")
            .end(same ? "" : document);
      }
      case "/moved" -> request.response().setStatusCode(301).putHeader("Location", "/feed").end();
      case "/silent" -> answers.add(0);
      default -> request.response().setStatusCode(404).end("Not here");
    }
  }

  private String document() {
    StringBuilder items = new StringBuilder();
    for (int i = bodies.size() - 1; i >= 0; i--) {
      items.append(
          "<item><guid>urn:%d</guid><content:encoded>%s</content:encoded></item>\n"
              .formatted(i, escaped(bodies.get(i))));
    }
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
        <channel><title>Kit</title><link>http://localhost/</link><description>d</description>
        %s
        </channel></rss>
        """
        .formatted(items);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private JsonObject settings(String path) {
    return new JsonObject()
        .put("url", "http://127.0.0.1:%d/%s?token=secret-7".formatted(server.actualPort(), path))
        .put("period", "PT1S");
  }

  private Source source(JsonObject settings) {
    return new FeedSource(
        vertx(), queue(), UUID.randomUUID(), FeedSettings.of(settings), memory, Time.SYSTEM);
  }

  @Override
  protected Optional<String> kitColumn() {
    return Optional.of("feed");
  }

  @Override
  protected Source newSource(Duration lease) {
    return source(settings("feed"));
  }

  @Override
  protected void put(List<Buffer> more) {
    more.forEach(body -> bodies.add(body.toString()));
  }

  @Override
  protected Buffer payload(SourceMessage message) {
    return Buffer.buffer(new JsonObject(message.body()).getString("content", ""));
  }

  @Override
  protected List<Buffer> hostileBodies() {
    return HostileBodies.TEXTS;
  }

  @Override
  protected List<Aside> aside() {
    throw new UnsupportedOperationException("ASIDE lacks");
  }

  @Override
  protected List<EmittedMessage> emitted(String target) {
    throw new UnsupportedOperationException("EMIT lacks");
  }

  @Override
  protected Set<Lack> lacks() {
    return Set.of(
        Lack.EMIT, Lack.SHARING, Lack.ASIDE, Lack.OUTAGE, Lack.COUNT, Lack.UNREADABLE, Lack.LARGE);
  }

  /** There are no leases; the next client has at once what the last one had. */
  @Override
  protected Duration shortLease() {
    return Duration.ofSeconds(2);
  }

  // beyond the contract

  @Test
  void anEntryThatIsSetAsideDoesNotComeAgain() throws Exception {
    put(List.of(Buffer.buffer("bad"), Buffer.buffer("good")));
    Source source = newSource(Duration.ZERO);
    Futures.await(source.open());
    List<SourceMessage> taken = Futures.await(source.poll(1));
    Futures.await(source.dead(taken.get(0).receipt(), "it is poison"));
    Futures.await(source.close());
    assertThat(memory.keys()).containsOnlyKeys(FeedQueue.key("urn:0"));
    Source next = newSource(Duration.ZERO);
    Futures.await(next.open());
    assertThat(Futures.await(next.poll(5))).extracting(SourceMessage::id).containsExactly("urn:1");
    Futures.await(next.close());
  }

  @Test
  void asksForNoDocumentTwice() throws Exception {
    Source source = newSource(Duration.ZERO);
    Futures.await(source.open());
    Eventually.assertThat(
        () -> {
          assertThat(Futures.await(source.poll(1))).isEmpty();
          assertThat(answers).contains(304);
        });
    assertThat(answers.subList(0, 2)).containsExactly(200, 304);
    put(List.of(Buffer.buffer("new")));
    Eventually.assertThat(() -> assertThat(Futures.await(source.poll(1))).hasSize(1));
    Futures.await(source.close());
  }

  @Test
  void aFailedDownloadLosesNoHeldEntry() throws Exception {
    put(List.of(Buffer.buffer("taken"), Buffer.buffer("waits")));
    Source source = newSource(Duration.ZERO);
    Futures.await(source.open());
    SourceMessage taken = Futures.await(source.poll(1)).get(0);
    bodies.clear(); // both have left the feed
    fails = true;
    Futures.await(source.fail(taken.receipt(), Duration.ofSeconds(3), "why"));
    Eventually.assertThat(
        () -> {
          List<SourceMessage> polled = Futures.await(source.poll(1));
          Futures.await(source.release(polled.stream().map(SourceMessage::receipt).toList()));
          assertThat(answers).contains(503);
        });
    assertThatThrownBy(() -> Futures.await(source.lag())).hasMessageContaining("503");
    List<String> ids = new CopyOnWriteArrayList<>();
    Eventually.assertThat(
        () -> {
          Futures.await(source.poll(2)).forEach(each -> ids.add(each.id()));
          assertThat(ids).containsExactlyInAnyOrder("urn:0", "urn:1");
        });
    Futures.await(source.close());
  }

  @ParameterizedTest
  @CsvSource({
    "429, 7200, PT1S, PT2H",
    "503, 4000000000, PT1S, PT24H",
    "503, soon, PT1H, PT1H",
    "404, '', PT1H, PT1H",
    "410, '', PT1S, PT24H",
    "503, 'Fri, 31 Dec 9999 23:59:59 GMT', PT1S, PT24H"
  })
  void aServerThatRefusesIsLeftAloneForAsLongAsItSays(
      int status, String header, Duration period, Duration wanted) throws Exception {
    fails = true;
    refusal = status;
    retryAfter = header;
    JsonObject settings = settings("feed").put("period", period.toString());
    for (int i = 0; i < 3; i++) { // a new client of this node knows it, too
      Source source = source(settings);
      SourceException failure =
          catchThrowableOfType(SourceException.class, () -> Futures.await(source.open()));
      assertThat(failure).hasMessageContaining("its server answers " + status);
      assertThat(failure.after())
          .isBetween(wanted.multipliedBy(9).dividedBy(10), wanted.multipliedBy(11).dividedBy(10));
      Futures.await(source.close());
    }
    assertThat(answers).as("requests").hasSize(1);
  }

  @Test
  void aServerThatRefusesIsAskedAgainWhenItsTimeHasCome() throws Exception {
    put(List.of(Buffer.buffer("m")));
    fails = true;
    refusal = 429;
    retryAfter = "2";
    Source source = newSource(Duration.ZERO);
    assertThatThrownBy(() -> Futures.await(source.open())).hasMessageContaining("429");
    fails = false;
    List<SourceMessage> taken = new CopyOnWriteArrayList<>();
    Eventually.assertThat(
        () -> {
          taken.addAll(Futures.await(source.poll(1).otherwise(List.of())));
          assertThat(taken).hasSize(1);
        });
    assertThat(answers).containsExactly(429, 200);
    Futures.await(source.close());
  }

  @Test
  void entriesThatAClosedClientHeldAreLeftToTheNextOneOfThisNode() throws Exception {
    put(List.of(Buffer.buffer("taken"), Buffer.buffer("done"), Buffer.buffer("waits")));
    Source source = source(settings("feed").put("period", "PT1H"));
    Futures.await(source.open());
    List<SourceMessage> taken = Futures.await(source.poll(2));
    Futures.await(source.complete(List.of(taken.get(1).receipt())));
    bodies.clear();
    Futures.await(source.close());
    Source next = source(settings("feed").put("period", "PT1H"));
    Futures.await(next.open());
    assertThat(answers).as("it is not time to look").hasSize(1);
    assertThat(Futures.await(next.poll(5)))
        .extracting(SourceMessage::id)
        .containsExactlyInAnyOrder("urn:0", "urn:2");
    Futures.await(next.close());
  }

  @Test
  void aClientThatIsClosedWhileItOpensTakesNothingOfWhatWasLeft() throws Exception {
    put(List.of(Buffer.buffer("left")));
    Source first = source(settings("feed").put("period", "PT1H"));
    Futures.await(first.open());
    bodies.clear();
    Futures.await(first.close());
    Promise<Map<String, Long>> read = Promise.promise();
    SourceMemory slow =
        new SourceMemory() {
          @Override
          public Future<Map<String, Long>> read() {
            return read.future();
          }

          @Override
          public Future<Void> write(Map<String, Long> puts, Collection<String> removed) {
            return memory.write(puts, removed);
          }
        };
    FeedSettings settings = FeedSettings.of(settings("feed").put("period", "PT1H"));
    Source second =
        new FeedSource(vertx(), queue(), UUID.randomUUID(), settings, slow, Time.SYSTEM);
    Future<Void> opening = second.open();
    Futures.await(second.close());
    read.complete(Map.of());
    assertThatThrownBy(() -> Futures.await(opening)).hasMessageContaining("closed");
    Source third = source(settings("feed").put("period", "PT1H"));
    Futures.await(third.open());
    assertThat(Futures.await(third.poll(5))).extracting(SourceMessage::id).containsExactly("urn:0");
    Futures.await(third.close());
  }

  @Test
  void followsRedirects() throws Exception {
    put(List.of(Buffer.buffer("m")));
    Source source = source(settings("moved"));
    Futures.await(source.open());
    assertThat(Futures.await(source.poll(1))).hasSize(1);
    Futures.await(source.close());
  }

  @Test
  void aServerThatIsAwayIsAFailureWithoutTheSecret() throws Exception {
    JsonObject settings = settings("feed");
    Source open = source(settings);
    Futures.await(open.open());
    Futures.await(server.close());
    Eventually.assertThat(
        () ->
            assertThatThrownBy(() -> Futures.await(patience(), open.poll(1)))
                .isInstanceOf(SourceException.class)
                .hasMessageStartingWith("the feed http://127.0.0.1:")
                .hasMessageNotContaining("secret-7"));
    Futures.await(open.close());
    Source another = source(settings);
    assertThatThrownBy(() -> Futures.await(patience(), another.open()))
        .isInstanceOf(SourceException.class);
    Futures.await(another.close());
  }

  @Test
  void aServerThatDoesNotAnswerIsAFailureInTime() throws Exception {
    Source source = source(settings("silent"));
    assertThatThrownBy(() -> Futures.await(patience(), source.open()))
        .isInstanceOf(SourceException.class);
    assertThat(answers).containsExactly(0);
    Futures.await(source.close());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gone | | its server answers 404 Not Found",
        "feed | <html/> | it is no feed that can be read",
        "feed | large | it has more than 1,024 bytes (setting maxSize)",
      })
  void wrongAnswersAreFailuresThatNameTheMistake(String path, String body, String message)
      throws Exception {
    instead = "large".equals(body) ? "x".repeat(1025) : body;
    Source source = source(settings(path).put("maxSize", 1024));
    assertThatThrownBy(() -> Futures.await(patience(), source.open()))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining(message);
    Futures.await(source.close());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                              | /url       | is missing",
        "{\"url\":\"file:///etc/passwd\"}                | /url       | as https://host",
        "{\"url\":\"http://me:secret@host/\"}            | /url       | without a user",
        "{\"url\":\"http://host/ a\"}                    | /url       | is no URL",
        "{\"url\":\"http://h/\",\"period\":\"PT0S\"}     | /period    | from PT1S to PT24H",
        "{\"url\":\"http://h/\",\"userAgent\":\"a\\r\\nb\"} | /userAgent | characters of ASCII",
        "{\"url\":\"http://h/\",\"x\":1}                 | /x         | unknown",
      })
  void refusesWrongSettings(String json, String pointer, String message) {
    assertThatThrownBy(() -> new FeedKind().check(new JsonObject(json)))
        .isInstanceOfSatisfying(
            SourceSettingException.class,
            e -> assertThat(e.defects()).extracting(FieldDefect::pointer).containsExactly(pointer))
        .hasMessageContaining(message);
  }

  @Test
  void ignoredEntriesAreReportedAsTrouble() {
    bodies.addAll(List.of("m0", "m1", "m2"));
    Source source = source(settings("feed").put("maxEntries", 2));
    Futures.await(source.open());
    assertThat(source.trouble().orElseThrow())
        .contains("more than 2 entries", "setting maxEntries")
        .doesNotContain("secret-7");
    bodies.remove(0);
    Eventually.assertThat(
        () -> { // it looks again when there is room
          List<SourceMessage> taken = Futures.await(source.poll(2));
          Futures.await(source.complete(taken.stream().map(SourceMessage::receipt).toList()));
          assertThat(source.trouble()).isEmpty();
        });
    Futures.await(source.close());
  }
}
