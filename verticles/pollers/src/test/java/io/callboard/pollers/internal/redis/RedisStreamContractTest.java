package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceKind;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Checks the streams of Redis against the contract of sources. */
@Tag("real")
class RedisStreamContractTest extends RedisContract {
  @RegisterExtension static final InstalledRedis REDIS = new InstalledRedis();

  @Override
  int port() {
    return REDIS.port();
  }

  @Override
  protected Optional<String> kitColumn() {
    return Optional.of("redis-stream");
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
