package io.callboard.pollers.internal.sqs;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.HostileBodies;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContract;
import io.callboard.pollers.source.Wire;
import io.callboard.servers.SqsServer;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import software.amazon.awssdk.services.sqs.model.Message;

/** Checks SQS against the contract of sources, with a server that speaks its protocol. */
@Tag("real")
class SqsContractTest extends SourceContract {
  private static SqsServer server;

  private final Map<Source, Wire> wires = new HashMap<>();
  private boolean away;
  private PlainSqs plain;
  private String url;
  private String deadUrl;

  @BeforeAll
  static void start() throws Exception {
    server = SqsServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  protected void makeQueue(String name) {
    plain = new PlainSqs(vertx(), server.port());
    url = plain.queue(name);
    deadUrl = plain.queue(name + "-dead");
    plain.queue(target());
  }

  @Override
  protected void removeQueue() {
    wires.values().forEach(Wire::close);
    plain.close();
  }

  @Override
  protected Optional<String> kitColumn() {
    return Optional.of("sqs");
  }

  @Override
  protected Source newSource(Duration lease) {
    Wire wire = Wire.before(vertx(), server.port());
    if (away) {
      wire.cut();
    }
    JsonObject settings =
        new JsonObject()
            .put("queue", queue())
            .put("endpoint", "http://127.0.0.1:" + wire.port())
            .put("region", "elasticmq")
            .put("accessKeyId", "x")
            .put("secretAccessKey", "x")
            .put("lease", lease.toString());
    SqsKind kind = new SqsKind();
    kind.check(settings);
    Source source = kind.create(PlayedMemory.context(vertx(), "articles", settings));
    wires.put(source, wire);
    return source;
  }

  @Override
  protected void put(List<Buffer> bodies) {
    for (Buffer body : bodies) {
      plain.call(
          sqs -> sqs.sendMessage(message -> message.queueUrl(url).messageBody(body.toString())));
    }
  }

  @Override
  protected List<Aside> aside() {
    return plain.messages(deadUrl).stream().map(SqsContractTest::aside).toList();
  }

  private static Aside aside(Message message) {
    return new Aside(
        Buffer.buffer(message.body()),
        message.messageAttributes().get(SqsMessages.CAUSE).stringValue());
  }

  @Override
  protected List<EmittedMessage> emitted(String target) {
    return plain.messages(plain.queue(target)).stream().map(SqsContractTest::emitted).toList();
  }

  private static EmittedMessage emitted(Message message) {
    Map<String, String> headers = new HashMap<>();
    message.messageAttributes().forEach((name, value) -> headers.put(name, value.stringValue()));
    return new EmittedMessage(headers.remove("id"), Buffer.buffer(message.body()), headers);
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

  @Override
  protected List<Buffer> hostileBodies() {
    return HostileBodies.TEXTS;
  }

  @Override
  protected Set<Lack> lacks() {
    return Set.of(Lack.UNREADABLE);
  }

  /** SQS has no larger ones in older regions. */
  @Override
  protected int large() {
    return 250_000;
  }

  @Override
  protected Duration patience() {
    return new SqsKind().patience();
  }
}
