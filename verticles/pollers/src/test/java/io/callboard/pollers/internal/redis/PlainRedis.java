package io.callboard.pollers.internal.redis;

import io.callboard.testkit.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plain client of Redis, for what tests put and look at. */
final class PlainRedis {
  private final Redis redis;

  PlainRedis(Vertx vertx, int port) {
    redis =
        Redis.createClient(
            vertx,
            new RedisOptions()
                .setConnectionString("redis://127.0.0.1:" + port)
                .setPreferredProtocolVersion(ProtocolVersion.RESP2));
  }

  /** Calls a command with texts and buffers. */
  Response call(Command command, Object... arguments) {
    Request request = Request.cmd(command);
    for (Object argument : arguments) {
      if (argument instanceof Buffer buffer) {
        request.arg(buffer);
      } else {
        request.arg(String.valueOf(argument));
      }
    }
    return Futures.await(redis.send(request));
  }

  /** Returns the fields of all entries of a stream. */
  List<Map<String, Buffer>> entries(String stream) {
    List<Map<String, Buffer>> entries = new ArrayList<>();
    for (Response entry : call(Command.XRANGE, stream, "-", "+")) {
      Map<String, Buffer> fields = new LinkedHashMap<>();
      Response values = entry.get(1);
      for (int i = 0; i < values.size(); i += 2) {
        fields.put(values.get(i).toString(), values.get(i + 1).toBuffer());
      }
      entries.add(fields);
    }
    return entries;
  }
}
