package io.callboard.pollers.internal.rabbitmq;

import com.rabbitmq.client.GetResponse;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContract;
import io.callboard.pollers.source.Wire;
import io.callboard.servers.RabbitmqServer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract against a real server, each client behind a proxy that cuts it off. */
@Tag("real")
class RabbitmqSourceTest extends SourceContract {
  private static RabbitmqServer server;
  private static PlainRabbit plain;

  private final Map<Source, Wire> wires = new ConcurrentHashMap<>();
  private boolean isAway;

  @BeforeAll
  static void server() throws Exception {
    server = InstalledRabbitmq.start();
    plain = new PlainRabbit(server);
  }

  @AfterAll
  static void stop() throws Exception {
    if (plain != null) {
      plain.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected void makeQueue(String name) throws Exception {
    plain.declare(name, Map.of());
    plain.declare(target(), Map.of());
  }

  @Override
  protected void removeQueue() {
    wires.values().forEach(Wire::close);
  }

  @Override
  protected Optional<String> kitColumn() {
    return Optional.of("rabbitmq");
  }

  @Override
  protected Source newSource(Duration lease) {
    Wire wire = Wire.before(vertx(), server.port());
    RabbitmqKind kind = new RabbitmqKind();
    JsonObject settings =
        new JsonObject().put("uri", "amqp://127.0.0.1:" + wire.port()).put("queue", queue());
    kind.check(settings);
    Source source = kind.create(PlayedMemory.context(vertx(), queue(), settings));
    wires.put(source, wire);
    if (isAway) {
      wire.cut();
    }
    return source;
  }

  @Override
  protected void cut(Source source) throws Exception {
    wires.get(source).cut();
    super.cut(source);
  }

  @Override
  protected void away() {
    isAway = true;
    wires.values().forEach(Wire::cut);
  }

  @Override
  protected void back() {
    isAway = false;
    wires.values().forEach(Wire::mend);
  }

  @Override
  protected void put(List<Buffer> bodies) throws Exception {
    plain.send(queue(), bodies);
  }

  @Override
  protected List<Aside> aside() throws Exception {
    List<Aside> aside = new ArrayList<>();
    for (GetResponse each : plain.browse(queue() + ".callboard.dead")) {
      aside.add(
          new Aside(Buffer.buffer(each.getBody()), PlainRabbit.header(each, RabbitMessages.CAUSE)));
    }
    return aside;
  }

  /** Not as the source declares it. */
  @Override
  protected void refuseAside() throws Exception {
    plain.declare(queue() + ".callboard.dead", Map.of("x-max-length", 10));
  }

  @Override
  protected void acceptAside() throws Exception {
    plain.delete(queue() + ".callboard.dead");
  }

  @Override
  protected List<EmittedMessage> emitted(String target) throws Exception {
    List<EmittedMessage> emitted = new ArrayList<>();
    for (GetResponse each : plain.browse(target)) {
      Map<String, String> headers = new HashMap<>();
      each.getProps().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
      emitted.add(
          new EmittedMessage(
              each.getProps().getMessageId(), Buffer.buffer(each.getBody()), headers));
    }
    return emitted;
  }

  /** There are no leases; the next client has at once what the last one had. */
  @Override
  protected Duration shortLease() {
    return Duration.ofSeconds(2);
  }

  @Override
  protected Duration patience() {
    return new RabbitmqKind().patience();
  }
}
