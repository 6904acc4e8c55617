package io.callboard.chaos.sources;

import io.callboard.servers.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Stream of Redis with articles; what was done is deleted from it. */
final class ArticleStream implements ArticleQueue {
  private static final String STREAM = "articles";
  private static final String DEAD = STREAM + ":callboard:dead";
  private static final String ID = "id";
  private static final String MOST_NAMED = "20";
  private static final int LIMIT_S = 10;

  private final String url;
  private final Vertx vertx = Vertx.vertx();
  private final Redis redis;

  ArticleStream(RedisServer server, String address) {
    this.url = "redis://%s:%d".formatted(address, server.port());
    this.redis =
        Redis.createClient(
            vertx,
            new RedisOptions()
                .setConnectionString(url)
                .setPreferredProtocolVersion(ProtocolVersion.RESP2));
  }

  @Override
  public String kind() {
    return "redis-stream";
  }

  @Override
  public String letter() {
    return "r";
  }

  @Override
  public JsonObject settings() {
    return new JsonObject()
        .put("url", url)
        .put("stream", STREAM)
        .put("id", ID)
        .put("lease", "PT5S")
        .put("delete", true);
  }

  private Response call(Command command, String... arguments) throws Exception {
    Request request = Request.cmd(command);
    for (String argument : arguments) {
      request.arg(argument);
    }
    try {
      return redis.send(request).await(LIMIT_S, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw e;
    } catch (Throwable e) { // whatever the client failed with
      throw new IOException(e);
    }
  }

  @Override
  public void send(String article) throws Exception {
    var unused = call(Command.XADD, STREAM, "*", ID, article, "body", Articles.body(article));
  }

  @Override
  public long waiting() throws Exception {
    return call(Command.XLEN, STREAM).toLong();
  }

  @Override
  public List<String> left() throws Exception {
    return new ArrayList<>(ids(call(Command.XRANGE, STREAM, "-", "+", "COUNT", MOST_NAMED)));
  }

  @Override
  public Set<String> dead() throws Exception {
    return ids(call(Command.XRANGE, DEAD, "-", "+"));
  }

  private static Set<String> ids(Response entries) {
    Set<String> ids = new HashSet<>();
    for (Response entry : entries) {
      Response fields = entry.get(1);
      for (int i = 0; i + 1 < fields.size(); i += 2) {
        if (fields.get(i).toString().equals(ID)) {
          ids.add(fields.get(i + 1).toString());
        }
      }
    }
    return ids;
  }

  @Override
  public void close() throws Exception {
    redis.close();
    var unused = vertx.close().await(LIMIT_S, TimeUnit.SECONDS);
  }
}
