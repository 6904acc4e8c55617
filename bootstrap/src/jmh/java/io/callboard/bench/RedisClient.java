package io.callboard.bench;

import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Plain client of Redis. */
final class RedisClient implements AutoCloseable {
  /** Requests that are sent at once. */
  static final int BATCH = 100;

  private final String url;
  private final Redis redis;

  RedisClient(Vertx vertx, int port) {
    url = "redis://127.0.0.1:" + port;
    redis =
        Redis.createClient(
            vertx,
            new RedisOptions()
                .setConnectionString(url)
                .setPreferredProtocolVersion(ProtocolVersion.RESP2));
  }

  String url() {
    return url;
  }

  static Request request(Command command, Object... arguments) {
    Request request = Request.cmd(command);
    for (Object argument : arguments) {
      request.arg(String.valueOf(argument));
    }
    return request;
  }

  Response call(Command command, Object... arguments) throws Exception {
    return Node.await(redis.send(request(command, arguments)));
  }

  /** Sends so many requests, some at once; returns the answers. */
  List<Response> calls(int count, IntFunction<Request> request) throws Exception {
    List<Response> answers = new ArrayList<>();
    while (answers.size() < count) {
      List<Request> batch = new ArrayList<>();
      for (int i = answers.size(); i < count && batch.size() < BATCH; i++) {
        batch.add(request.apply(i));
      }
      answers.addAll(Node.await(redis.batch(batch)));
    }
    return answers;
  }

  @Override
  public void close() {
    redis.close();
  }
}
