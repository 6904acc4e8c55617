package io.callboard.pollers.internal.rabbitmq;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.internal.kafka.OnContext;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.servers.RabbitmqServer;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** Server of the tests of one class, and what they do with sources of a queue of their own. */
abstract class RabbitmqStage {
  static final Duration PATIENCE = new RabbitmqKind().patience();

  // classes run at once, each with a server of its own
  private static final Map<Class<?>, RabbitmqServer> SERVERS = new ConcurrentHashMap<>();
  private static final Map<Class<?>, PlainRabbit> PLAIN = new ConcurrentHashMap<>();

  final RabbitmqServer server = SERVERS.get(getClass());
  final PlainRabbit plain = PLAIN.get(getClass());
  final Vertx vertx = Vertx.vertx();
  final List<Source> sources = new ArrayList<>();
  String queue;

  @BeforeAll
  static void server(TestInfo test) throws Exception {
    Class<?> its = test.getTestClass().orElseThrow();
    RabbitmqServer started = InstalledRabbitmq.start();
    SERVERS.put(its, started);
    PLAIN.put(its, new PlainRabbit(started));
  }

  @AfterAll
  static void stop(TestInfo test) throws Exception {
    Class<?> its = test.getTestClass().orElseThrow();
    PlainRabbit client = PLAIN.remove(its);
    if (client != null) {
      client.close();
    }
    RabbitmqServer started = SERVERS.remove(its);
    if (started != null) {
      started.close();
    }
  }

  @BeforeEach
  void name(TestInfo test) {
    queue = test.getTestMethod().orElseThrow().getName();
  }

  @AfterEach
  void end() {
    try {
      sources.forEach(source -> Futures.await(source.close()));
    } finally {
      Futures.await(vertx.close());
    }
  }

  JsonObject settings(int port) {
    return new JsonObject().put("uri", "amqp://127.0.0.1:" + port).put("queue", queue);
  }

  JsonObject settings() {
    return settings(server.port());
  }

  Source unopened(JsonObject settings) {
    RabbitmqKind kind = new RabbitmqKind();
    kind.check(settings);
    Source source = OnContext.of(vertx, kind.create(PlayedMemory.context(vertx, queue, settings)));
    sources.add(source);
    return source;
  }

  Source open(JsonObject settings) {
    Source source = unopened(settings);
    await(source.open());
    return source;
  }

  static <T> T await(Future<T> future) {
    return Futures.await(PATIENCE, future);
  }

  static void assertFails(Future<?> call, String words) {
    assertThatThrownBy(() -> await(call))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining(words);
  }

  static List<Buffer> texts(int count) {
    return IntStream.range(0, count).mapToObj(i -> Buffer.buffer("m" + i)).toList();
  }

  static List<SourceMessage> take(Source source, int count) {
    List<SourceMessage> taken = new ArrayList<>();
    Eventually.isTrue(
        count + " messages",
        () -> {
          taken.addAll(await(source.poll(count - taken.size())));
          return taken.size() == count;
        });
    return taken;
  }

  static List<String> receipts(List<SourceMessage> messages) {
    return messages.stream().map(SourceMessage::receipt).toList();
  }
}
