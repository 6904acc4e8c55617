package io.callboard.pollers.internal.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.internal.redis.CalledSource;
import io.callboard.pollers.source.ConcurrentTest;
import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.servers.SqsServer;
import io.callboard.testkit.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Checks what is particular to SQS. */
@Tag("long")
@Tag("real")
class SqsSourceTest {
  private static SqsServer server;

  private final Vertx vertx = Vertx.vertx();
  private final List<Source> sources = new ArrayList<>();
  private PlainSqs plain;
  private String name;

  @BeforeAll
  static void start() throws Exception {
    server = SqsServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void begin(TestInfo test) {
    name = test.getTestMethod().orElseThrow().getName();
    plain = new PlainSqs(vertx, server.port());
  }

  @AfterEach
  void end() {
    sources.forEach(source -> Futures.await(source.close()));
    plain.close();
    Futures.await(vertx.close());
  }

  private JsonObject settings(String queue) {
    return new JsonObject()
        .put("queue", queue)
        .put("create", true)
        .put("endpoint", "http://127.0.0.1:" + server.port())
        .put("region", "elasticmq")
        .put("accessKeyId", "key")
        .put("secretAccessKey", "secret");
  }

  private CalledSource unopened(JsonObject settings) {
    SqsKind kind = new SqsKind(Duration.ofSeconds(1));
    kind.check(settings);
    Source source = kind.create(PlayedMemory.context(vertx, "articles", settings));
    sources.add(source);
    return new CalledSource(vertx, source);
  }

  private CalledSource open(JsonObject settings) {
    CalledSource source = unopened(settings);
    source.call(Source::open);
    return source;
  }

  private void send(String queue, String body, Map<String, MessageAttributeValue> attributes) {
    String url = plain.queue(queue);
    plain.call(
        sqs ->
            sqs.sendMessage(
                message ->
                    message
                        .queueUrl(url)
                        .messageBody(body)
                        .messageAttributes(attributes)
                        .messageGroupId(queue.endsWith(".fifo") ? "group" : null)
                        .messageDeduplicationId(queue.endsWith(".fifo") ? body : null)));
  }

  private static MessageAttributeValue text(String text) {
    return MessageAttributeValue.builder().dataType("String").stringValue(text).build();
  }

  @ConcurrentTest
  void attributesAreHeaders() {
    CalledSource source = open(settings(name).put("id", "order"));
    Map<String, MessageAttributeValue> attributes = new HashMap<>();
    attributes.put("order", text("4711"));
    attributes.put("kind", text("article"));
    attributes.put(
        "bytes",
        MessageAttributeValue.builder()
            .dataType("Binary")
            .binaryValue(SdkBytes.fromByteArray(new byte[] {0, (byte) 0xff}))
            .build());
    attributes.put(
        "count", MessageAttributeValue.builder().dataType("Number").stringValue("7").build());
    send(name, "text", attributes);
    SourceMessage message = source.one();
    assertThat(message.id()).isEqualTo("4711");
    assertThat(message.headers())
        .isEqualTo(Map.of("kind", "article", "bytes", "AP8=", "count", "7"));
    assertThat(message.deliveries()).isEqualTo(1);
    assertThat(message.sentAt())
        .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
  }

  @ConcurrentTest
  void aPollBringsMoreThanARequestCan() {
    CalledSource source = open(settings(name));
    for (int i = 0; i < 45; i++) {
      send(name, "m" + i, Map.of());
    }
    List<SourceMessage> taken = source.call(each -> each.poll(35));
    assertThat(taken).hasSize(35);
    List<SourceMessage> rest = source.call(each -> each.poll(35));
    assertThat(rest).hasSize(10);
    List<String> receipts = new ArrayList<>();
    taken.forEach(message -> receipts.add(message.receipt()));
    rest.forEach(message -> receipts.add(message.receipt()));
    assertThat(source.extend(receipts)).isEmpty();
    source.call(each -> each.complete(receipts));
    assertThat(source.extend(receipts)).containsExactlyInAnyOrderElementsOf(receipts);
    assertThat(source.call(Source::lag)).hasValue(0);
  }

  @ConcurrentTest
  void aMessageThatIsGoneDoesNotHoldTheOthersOfItsBatch() {
    CalledSource source = open(settings(name));
    String url = plain.queue(name);
    for (int i = 0; i < 3; i++) {
      send(name, "m" + i, Map.of());
    }
    List<SourceMessage> taken = source.take(3);
    plain.call(sqs -> sqs.purgeQueue(purge -> purge.queueUrl(url)));
    send(name, "m3", Map.of());
    SourceMessage left = source.one();
    List<String> receipts = new ArrayList<>(taken.stream().map(SourceMessage::receipt).toList());
    receipts.add(1, left.receipt());
    assertThat(source.extend(receipts))
        .containsExactlyInAnyOrderElementsOf(taken.stream().map(SourceMessage::receipt).toList());
    source.call(each -> each.complete(receipts));
    assertThat(source.poll()).isEmpty();
  }

  @ConcurrentTest
  void aMessageWithoutRoomForItsCauseIsSetAsideAlone() {
    CalledSource source = open(settings(name));
    Map<String, MessageAttributeValue> ten = new HashMap<>();
    for (int i = 0; i < 10; i++) {
      ten.put("a" + i, text("v"));
    }
    send(name, "full", ten);
    SourceMessage taken = source.one();
    source.call(each -> each.dead(taken.receipt(), "why"));
    List<Message> dead = plain.messages(plain.queue(name + "-dead"));
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).body()).isEqualTo("full");
    assertThat(dead.get(0).messageAttributes()).isEqualTo(ten);
    assertThat(source.poll()).isEmpty();
  }

  @ConcurrentTest
  void aMessageOfTheLargestSizeIsSetAsideAlone() {
    CalledSource source = open(settings(name));
    String large = "x".repeat(256 * 1024);
    send(name, large, Map.of());
    SourceMessage taken = source.one();
    source.call(each -> each.dead(taken.receipt(), "why"));
    List<Message> dead = plain.messages(plain.queue(name + "-dead"));
    assertThat(dead).hasSize(1);
    assertThat(dead.get(0).body()).isEqualTo(large);
  }

  @ConcurrentTest
  void aGroupWaitsForItsMessageThatFailed() {
    String fifo = name + ".fifo";
    CalledSource source = open(settings(fifo));
    send(fifo, "m0", Map.of());
    send(fifo, "m1", Map.of());
    SourceMessage first = source.one();
    assertThat(first.body()).isEqualTo(Buffer.buffer("m0"));
    assertThat(first.headers()).containsEntry("sqs-group", "group");
    source.call(each -> each.fail(first.receipt(), Duration.ofSeconds(1), "why"));
    SourceMessage again = source.one();
    assertThat(again.id()).isEqualTo(first.id());
    source.call(each -> each.dead(again.receipt(), "why"));
    assertThat(source.one().body()).isEqualTo(Buffer.buffer("m1"));
    assertThat(plain.messages(plain.queue(name + "-dead.fifo"))).hasSize(1);
  }

  @ConcurrentTest
  void aMessageThatIsSentTwiceIsOneInAFifoQueue() {
    String fifo = name + ".fifo";
    CalledSource source = open(settings(fifo));
    EmittedMessage message =
        new EmittedMessage("jöb 1", Buffer.buffer("x"), Map.of("sqs-group", "g", "kind", "a"));
    source.call(each -> each.emit(fifo, message));
    source.call(each -> each.emit(fifo, message));
    SourceMessage taken = source.one();
    assertThat(taken.headers()).isEqualTo(Map.of("id", "jöb 1", "kind", "a", "sqs-group", "g"));
    source.call(each -> each.complete(List.of(taken.receipt())));
    assertThat(source.poll()).isEmpty();
  }

  @ConcurrentTest
  void aMessageThatSqsCannotCarryIsRefused() {
    CalledSource source = open(settings(name));
    EmittedMessage bytes =
        new EmittedMessage("1", Buffer.buffer(new byte[] {(byte) 0xff}), Map.of());
    assertThatThrownBy(() -> source.call(each -> each.emit(name, bytes)))
        .isInstanceOf(EmissionRefusedException.class)
        .hasMessageContaining("no UTF-8");
    EmittedMessage twice = new EmittedMessage("1", Buffer.buffer("x"), Map.of("id", "2"));
    assertThatThrownBy(() -> source.call(each -> each.emit(name, twice)))
        .isInstanceOf(EmissionRefusedException.class)
        .hasMessageContaining("has a header \"id\"");
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 10; i++) {
      many.put("h" + i, "v");
    }
    EmittedMessage full = new EmittedMessage("1", Buffer.buffer("x"), many);
    assertThatThrownBy(() -> source.call(each -> each.emit(name, full)))
        .isInstanceOf(EmissionRefusedException.class)
        .hasMessageContaining("has 10 headers; SQS takes 10, and its id is one");
    EmittedMessage empty = new EmittedMessage("1", Buffer.buffer(), Map.of());
    assertThatThrownBy(() -> source.call(each -> each.emit(name, empty)))
        .isInstanceOf(SourceException.class);
    assertThat(source.poll()).isEmpty();
  }

  @ConcurrentTest
  void queuesThatAreNotThereAreNamed() {
    CalledSource none = unopened(settings(name).put("create", false));
    assertThatThrownBy(() -> none.call(Source::open))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("SQS at 127.0.0.1:" + server.port() + ": queue " + name + ":");
    plain.queue(name);
    CalledSource noDead = unopened(settings(name).put("create", false));
    assertThatThrownBy(() -> noDead.call(Source::open))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("queue " + name + "-dead:");
    plain.queue(name + "-dead");
    CalledSource both = open(settings(name).put("create", false));
    assertThat(both.poll()).isEmpty();
    CalledSource byUrl = open(settings(plain.queue(name)).put("create", false));
    assertThat(byUrl.poll()).isEmpty();
  }

  @ConcurrentTest
  void aReceiptEndsBeforeItsLease() {
    CalledSource source = open(settings(name).put("lease", "PT5S"));
    send(name, "m", Map.of());
    SourceMessage first = source.one();
    SourceMessage second = source.one();
    assertThat(second.id()).isEqualTo(first.id());
    source.call(each -> each.complete(List.of(first.receipt())));
    assertThat(source.extend(List.of(first.receipt(), second.receipt())))
        .containsExactly(first.receipt());
    source.call(each -> each.complete(List.of(second.receipt())));
    assertThat(source.poll()).isEmpty();
  }
}
