package io.callboard.bench;

import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/** Stream in Redis, whose entries are deleted when they are done. */
final class RedisStreamSupply implements Supply {
  private static final String GROUP = "plain";

  private final RedisClient redis;
  private final String stream;
  private boolean hasGroup;
  private int number;

  RedisStreamSupply(RedisClient redis, String stream) {
    this.redis = redis;
    this.stream = stream;
  }

  @Override
  public JsonObject settings() {
    return new JsonObject().put("url", redis.url()).put("stream", stream).put("delete", true);
  }

  @Override
  public String plain() {
    return "XREADGROUP of %d, then one XACK and one XDEL of all".formatted(RedisClient.BATCH);
  }

  @Override
  public void put(int count) throws Exception {
    var unused =
        redis.calls(
            count,
            i -> RedisClient.request(Command.XADD, stream, "*", "body", Supply.body(++number)));
  }

  @Override
  public void take(int count) throws Exception {
    if (!hasGroup) {
      var unused = redis.call(Command.XGROUP, "CREATE", stream, GROUP, "0");
      hasGroup = true;
    }
    for (int taken = 0; taken < count; ) {
      Response read =
          redis.call(
              Command.XREADGROUP,
              "GROUP",
              GROUP,
              "one",
              "COUNT",
              RedisClient.BATCH,
              "STREAMS",
              stream,
              ">");
      Request ack = RedisClient.request(Command.XACK, stream, GROUP);
      Request delete = RedisClient.request(Command.XDEL, stream);
      for (Response entry : read.get(0).get(1)) {
        Supply.check(entry.get(1).get(1).toBuffer().length());
        ack.arg(entry.get(0).toString());
        delete.arg(entry.get(0).toString());
        taken++;
      }
      var unused = redis.calls(2, i -> i == 0 ? ack : delete);
    }
  }

  @Override
  public long left() throws Exception {
    return redis.call(Command.XLEN, stream).toLong();
  }
}
