package io.callboard.pollers.internal.redis;

import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContract;
import io.callboard.pollers.source.SourceKind;
import io.callboard.pollers.source.Wire;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the contract's tests of both kinds have in common: each client has a wire of its own. */
abstract class RedisContract extends SourceContract {
  private final Map<Source, Wire> wires = new HashMap<>();
  private boolean away;

  /** Plain client. */
  PlainRedis plain;

  abstract int port();

  abstract SourceKind kind();

  /** Returns the settings, without those of the server. */
  abstract JsonObject settings();

  @Override
  protected void makeQueue(String name) {
    plain = new PlainRedis(vertx(), port());
  }

  @Override
  protected void removeQueue() {
    wires.values().forEach(Wire::close);
  }

  @Override
  protected Source newSource(Duration lease) {
    Wire wire = Wire.before(vertx(), port());
    if (away) {
      wire.cut();
    }
    JsonObject settings =
        settings()
            .put("url", "redis://127.0.0.1:" + wire.port())
            .put("lease", lease.toString())
            .put("deadLimit", 1);
    kind().check(settings);
    Source source = kind().create(PlayedMemory.context(vertx(), "articles", settings));
    wires.put(source, wire);
    return source;
  }

  @Override
  protected List<Aside> aside() {
    List<Aside> aside = new ArrayList<>();
    for (Map<String, Buffer> entry : plain.entries(queue() + ":callboard:dead")) {
      aside.add(new Aside(entry.get("body"), entry.get("callboard-cause").toString()));
    }
    return aside;
  }

  @Override
  protected void refuseAside() {
    plain.call(Command.XADD, queue() + ":callboard:dead", "*", "filler", "");
  }

  @Override
  protected void acceptAside() {
    plain.call(Command.DEL, queue() + ":callboard:dead");
  }

  @Override
  protected void cut(Source source) {
    wires.get(source).cut();
  }

  @Override
  protected void away() {
    away = true;
    wires.values().forEach(Wire::cut);
  }

  @Override
  protected void back() {
    away = false;
    wires.values().forEach(Wire::mend);
  }
}
