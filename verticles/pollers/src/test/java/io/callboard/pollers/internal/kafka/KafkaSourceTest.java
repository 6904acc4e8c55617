package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceContract;
import io.callboard.servers.KafkaServer;
import io.callboard.time.Time;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The contract against a real broker. Clients are a static member, so that the next one has the
 * partitions of one that was cut off at once; {@link KafkaGroupTest} has others.
 */
@Tag("real")
class KafkaSourceTest extends SourceContract {
  private static final int PARTITIONS = 2;
  private static final int LARGEST = 1_010_000;

  private static KafkaServer server;
  private static PlainKafka plain;

  private final Map<Source, CuttableClients> clients = new ConcurrentHashMap<>();
  private final PlayedMemory memory = new PlayedMemory();

  @BeforeAll
  static void server() throws Exception {
    server = KafkaServer.start(Path.of("target"));
    plain = new PlainKafka(server.address());
    plain.beginGroups();
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
    plain.makeTopic(name, PARTITIONS, Map.of());
    plain.makeTopic(target(), 1, Map.of());
  }

  @Override
  protected Optional<String> kitColumn() {
    return Optional.of("kafka");
  }

  @Override
  protected Source newSource(Duration lease) {
    JsonObject settings =
        new JsonObject()
            .put("servers", server.address())
            .put("topic", queue())
            .put("group", queue())
            .put("member", "callboard")
            .put("maxSize", LARGEST)
            // shorter than the kit's pause: the group must not be lost then
            .put("client", new JsonObject().put("max.poll.interval.ms", 8_000));
    new KafkaKind().check(settings);
    CuttableClients cuttable = new CuttableClients();
    Source source =
        new KafkaSource(
            vertx(), queue(), KafkaSettings.of(settings), cuttable, memory, Time.SYSTEM);
    clients.put(source, cuttable);
    return source;
  }

  @Override
  protected void cut(Source source) throws Exception {
    clients.get(source).cut();
    super.cut(source);
  }

  @Override
  protected void put(List<Buffer> bodies) throws Exception {
    plain.send(queue(), PARTITIONS, bodies);
  }

  /** Smaller than what a broker takes at most. */
  @Override
  protected void putUnreadable() throws Exception {
    put(List.of(Buffer.buffer(new byte[LARGEST + 1])));
  }

  @Override
  protected List<Aside> aside() {
    return plain.read(queue() + ".callboard.dead").stream()
        .map(
            record ->
                new Aside(
                    Buffer.buffer(record.value()), PlainKafka.header(record, RetryHeaders.CAUSE)))
        .toList();
  }

  @Override
  protected void refuseAside() throws Exception {
    plain.configure(queue() + ".callboard.dead", "max.message.bytes", "1000");
  }

  @Override
  protected void acceptAside() throws Exception {
    plain.configure(queue() + ".callboard.dead", "max.message.bytes", "8000000");
  }

  @Override
  protected List<EmittedMessage> emitted(String target) {
    return plain.read(target).stream().map(KafkaSourceTest::emitted).toList();
  }

  private static EmittedMessage emitted(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header each : record.headers()) {
      headers.put(each.key(), new String(each.value(), StandardCharsets.UTF_8));
    }
    return new EmittedMessage(
        new String(record.key(), StandardCharsets.UTF_8), Buffer.buffer(record.value()), headers);
  }

  @Override
  protected Set<Lack> lacks() {
    return EnumSet.of(
        Lack.COUNT, Lack.SHARING, Lack.SINGLE_ACKNOWLEDGEMENT, Lack.OUTAGE, Lack.FENCING);
  }

  @Override
  protected Duration patience() {
    return new KafkaKind().patience();
  }
}
