package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.testkit.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** Sources in a server, for one test. */
abstract class RedisStage {
  final Vertx vertx = Vertx.vertx();
  private final List<Source> sources = new ArrayList<>();
  String key;
  PlainRedis plain;

  abstract int port();

  @BeforeEach
  void begin(TestInfo test) {
    key = test.getTestMethod().orElseThrow().getName();
    plain = new PlainRedis(vertx, port());
  }

  @AfterEach
  void end() {
    sources.forEach(source -> Futures.await(source.close()));
    Futures.await(vertx.close());
  }

  /** Returns settings with the server. */
  JsonObject settings() {
    return new JsonObject().put("url", "redis://127.0.0.1:" + port()).put("lease", "PT30S");
  }

  /** Makes a stream's source that is not open. */
  CalledSource unopened(JsonObject settings) {
    Source source =
        settings.containsKey("list")
            ? new RedisListKind().create(PlayedMemory.context(vertx, "articles", settings))
            : new RedisStreamKind().create(PlayedMemory.context(vertx, "articles", settings));
    sources.add(source);
    return new CalledSource(vertx, source);
  }

  /** Opens a source. */
  CalledSource open(JsonObject settings) {
    CalledSource source = unopened(settings);
    source.call(Source::open);
    return source;
  }
}
