package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.SourceKind;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Checks the lists of Redis against the contract of sources. */
@Tag("real")
class RedisListContractTest extends RedisContract {
  @RegisterExtension static final InstalledRedis REDIS = new InstalledRedis();

  @Override
  int port() {
    return REDIS.port();
  }

  @Override
  protected Optional<String> kitColumn() {
    return Optional.of("redis-list");
  }

  @Override
  SourceKind kind() {
    return new RedisListKind();
  }

  @Override
  JsonObject settings() {
    return new JsonObject().put("list", queue()).put("id", "id");
  }

  @Override
  protected void put(List<Buffer> bodies) {
    for (Buffer body : bodies) {
      plain.call(Command.RPUSH, queue(), body);
    }
  }

  /** What is too large keeps its place in the list until there is room for it. */
  @Override
  protected void putUnreadable() {
    put(List.of(Buffer.buffer("{\"id\": \" \"}")));
  }

  @Override
  protected List<EmittedMessage> emitted(String target) {
    List<EmittedMessage> emitted = new ArrayList<>();
    for (Response element : plain.call(Command.LRANGE, target, 0, -1)) {
      JsonObject envelope = new JsonObject(element.toBuffer());
      Map<String, String> headers = new HashMap<>();
      envelope.getJsonObject("headers").forEach(e -> headers.put(e.getKey(), "" + e.getValue()));
      Buffer body = Buffer.buffer(envelope.getString("body"));
      emitted.add(new EmittedMessage(envelope.getString("id"), body, headers));
    }
    return emitted;
  }
}
