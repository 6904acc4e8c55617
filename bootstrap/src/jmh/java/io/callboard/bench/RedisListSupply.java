package io.callboard.bench;

import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.List;

/** List in Redis. */
final class RedisListSupply implements Supply {
  private final RedisClient redis;
  private final String list;
  private int number;

  RedisListSupply(RedisClient redis, String list) {
    this.redis = redis;
    this.list = list;
  }

  @Override
  public JsonObject settings() {
    return new JsonObject().put("url", redis.url()).put("list", list);
  }

  @Override
  public String plain() {
    return "%d LMOVE in one pipeline to a list of its own, then one DEL of that"
        .formatted(RedisClient.BATCH);
  }

  @Override
  public void put(int count) throws Exception {
    var unused =
        redis.calls(count, i -> RedisClient.request(Command.RPUSH, list, Supply.body(++number)));
  }

  @Override
  public void take(int count) throws Exception {
    String taking = list + ":taken";
    for (int taken = 0; taken < count; ) {
      List<Response> moved =
          redis.calls(
              Math.min(RedisClient.BATCH, count - taken),
              i -> RedisClient.request(Command.LMOVE, list, taking, "LEFT", "RIGHT"));
      for (Response each : moved) {
        Supply.check(each.toBuffer().length());
      }
      var unused = redis.call(Command.DEL, taking);
      taken += moved.size();
    }
  }

  @Override
  public long left() throws Exception {
    return redis.call(Command.LLEN, list).toLong();
  }
}
