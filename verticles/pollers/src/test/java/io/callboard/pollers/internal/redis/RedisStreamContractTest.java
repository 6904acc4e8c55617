package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceKind;
import io.callboard.servers.RedisServer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Checks the streams of Redis against the contract of sources. */
@Tag("real")
class RedisStreamContractTest extends RedisContract {
  private static RedisServer server;

  @BeforeAll
  static void start() throws Exception {
    server = InstalledRedis.start(RedisStreamContractTest.class);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected Optional<String> kitColumn() {
    return Optional.of("redis-stream");
  }

  @Override
  int port() {
    return server.port();
  }

  @Override
  SourceKind kind() {
    return new RedisStreamKind();
  }

  @Override
  JsonObject settings() {
    return new JsonObject().put("stream", queue());
  }

  @Override
  protected void put(List<Buffer> bodies) {
    for (Buffer body : bodies) {
      plain.call(Command.XADD, queue(), "*", "body", body, "kind", "test");
    }
  }

  @Override
  protected List<EmittedMessage> emitted(String target) {
    return plain.entries(target).stream().map(RedisStreamContractTest::emitted).toList();
  }

  private static EmittedMessage emitted(Map<String, Buffer> entry) {
    Map<String, String> headers = new HashMap<>();
    entry.forEach((field, value) -> headers.put(field, value.toString()));
    headers.remove("body");
    String id = headers.remove("id");
    return new EmittedMessage(id, entry.get("body"), headers);
  }
}
