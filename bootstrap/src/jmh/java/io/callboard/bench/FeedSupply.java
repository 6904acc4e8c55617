package io.callboard.bench;

import com.rometools.rome.feed.synd.SyndEntry;
import com.rometools.rome.io.SyndFeedInput;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/**
 * Feed of an HTTP server, whose document has the entries that were put last. Nobody acknowledges an
 * entry; the source remembers it.
 */
final class FeedSupply implements Supply {
  static final String KIND = "feed";

  private final HttpServer server;
  private final String url;
  private volatile String document = document("");
  private volatile long askedNanos;
  private volatile boolean isAsked;
  private int number;

  FeedSupply(Vertx vertx) throws Exception {
    server =
        Node.await(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
    url = "http://127.0.0.1:%d/feed".formatted(server.actualPort());
  }

  private void answer(HttpServerRequest request) {
    if (!isAsked) {
      askedNanos = System.nanoTime();
      isAsked = true;
    }
    var unused = request.response().putHeader("Content-Type", "application/rss+xml").end(document);
  }

  private static String document(String items) {
    return """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0"><channel><title>Bench</title><link>http://localhost/</link>
        <description>Entries</description>
        %s</channel></rss>
        """
        .formatted(items);
  }

  @Override
  public JsonObject settings() {
    return new JsonObject().put("url", url).put("period", "PT1S").put("maxEntries", 5_000);
  }

  @Override
  public String plain() {
    return "one download, read by ROME";
  }

  @Override
  public void put(int count) {
    StringBuilder items = new StringBuilder();
    for (int i = 0; i < count; i++) {
      items.append(
          "<item><guid>urn:%d</guid><description>%s</description></item>\n"
              .formatted(++number, Supply.body(i).replace("\"", "'")));
    }
    document = document(items.toString());
    isAsked = false;
  }

  @Override
  public long begunNanos(long asked) {
    return askedNanos;
  }

  @Override
  public void take(int count) throws Exception {
    String text =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
            .body();
    int taken = 0;
    for (SyndEntry entry : new SyndFeedInput().build(new StringReader(text)).getEntries()) {
      Supply.check(entry.getDescription().getValue().length());
      taken++;
    }
    if (taken != count) {
      throw new IllegalStateException("the feed has %d entries of %d".formatted(taken, count));
    }
  }

  @Override
  public long left() {
    return 0;
  }

  @Override
  public void end() throws Exception {
    var unused = Node.await(server.close());
  }
}
