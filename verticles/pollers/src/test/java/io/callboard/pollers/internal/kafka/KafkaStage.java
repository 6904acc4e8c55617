package io.callboard.pollers.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.servers.KafkaServer;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.callboard.time.Time;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** Broker of the tests of one class, and what they do with sources of a topic of their own. */
abstract class KafkaStage {
  static final Duration PATIENCE = new KafkaKind().patience();

  // classes run at once, each with a server of its own
  private static final Map<Class<?>, KafkaServer> SERVERS = new ConcurrentHashMap<>();
  private static final Map<Class<?>, PlainKafka> PLAIN = new ConcurrentHashMap<>();

  final KafkaServer server = SERVERS.get(getClass());
  final PlainKafka plain = PLAIN.get(getClass());
  final Vertx vertx = Vertx.vertx();
  final List<Source> sources = new ArrayList<>();
  final CuttableClients cuttable = new CuttableClients();
  final PlayedMemory memory = new PlayedMemory();
  String topic;

  @BeforeAll
  static void server(TestInfo test) throws Exception {
    Class<?> its = test.getTestClass().orElseThrow();
    KafkaServer started = KafkaServer.start(Path.of("target"));
    SERVERS.put(its, started);
    PlainKafka client = new PlainKafka(started.address());
    PLAIN.put(its, client);
    client.beginGroups();
  }

  @AfterAll
  static void stop(TestInfo test) throws Exception {
    Class<?> its = test.getTestClass().orElseThrow();
    PlainKafka client = PLAIN.remove(its);
    if (client != null) {
      client.close();
    }
    KafkaServer started = SERVERS.remove(its);
    if (started != null) {
      started.close();
    }
  }

  @BeforeEach
  void name(TestInfo test) {
    topic = test.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void end() {
    try {
      sources.forEach(source -> Futures.await(source.close()));
    } finally {
      Futures.await(vertx.close());
    }
  }

  JsonObject settings() {
    JsonObject client =
        new JsonObject().put("session.timeout.ms", 6_000).put("heartbeat.interval.ms", 500);
    return new JsonObject()
        .put("servers", server.address())
        .put("topic", topic)
        .put("group", topic)
        .put("client", client);
  }

  Source unopened(JsonObject settings, KafkaClients clients) {
    new KafkaKind().check(settings);
    Source source =
        OnContext.of(
            vertx,
            new KafkaSource(
                vertx, topic, KafkaSettings.of(settings), clients, memory, Time.SYSTEM));
    sources.add(source);
    return source;
  }

  Source open(JsonObject settings) {
    Source source = unopened(settings, KafkaClients.PLAIN);
    Futures.await(PATIENCE, source.open());
    return source;
  }

  void topic(int partitions, String... texts) throws Exception {
    plain.makeTopic(topic, partitions, Map.of());
    plain.send(topic, partitions, List.of(texts).stream().map(Buffer::buffer).toList());
  }

  static String[] texts(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new);
  }

  static List<SourceMessage> poll(Source source, int most) {
    return Futures.await(PATIENCE, source.poll(most));
  }

  static List<SourceMessage> take(Source source, int count) {
    List<SourceMessage> taken = new ArrayList<>();
    Eventually.isTrue(
        count + " messages",
        () -> {
          taken.addAll(poll(source, count - taken.size()));
          return taken.size() == count;
        });
    return taken;
  }

  static Set<String> bodies(List<SourceMessage> messages) {
    return messages.stream().map(message -> message.body().toString()).collect(Collectors.toSet());
  }

  static List<String> receipts(List<SourceMessage> messages) {
    return messages.stream().map(SourceMessage::receipt).toList();
  }

  static void complete(Source source, List<SourceMessage> messages) {
    Futures.await(PATIENCE, source.complete(receipts(messages)));
  }

  /** Asserts that nothing of a group waits, once the source is its member. */
  static void assertAllIsDone(Source source) {
    Eventually.assertThat(() -> assertThat(Futures.await(PATIENCE, source.lag())).hasValue(0));
  }
}
