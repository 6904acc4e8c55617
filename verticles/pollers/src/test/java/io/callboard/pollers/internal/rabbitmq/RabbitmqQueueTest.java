package io.callboard.pollers.internal.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.callboard.pollers.internal.kafka.OnContext;
import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.PlayedMemory;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.pollers.source.Wire;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.FreePorts;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is particular to RabbitMQ: consumers, ids, retries, types of queues, what is refused. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("real")
class RabbitmqQueueTest extends RabbitmqStage {
  @Test
  void messagesThatAreNotAskedForStayWithTheServer() throws Exception {
    plain.declare(queue, Map.of());
    plain.send(queue, texts(10));
    Source source = open(settings());
    assertThat(take(source, 3)).hasSize(3);
    assertThat(plain.waiting(queue)).isEqualTo(7);
    assertThat(take(source, 2)).as("the first three do not count").hasSize(2);
    assertThat(plain.waiting(queue)).isEqualTo(5);
    assertThat(plain.consumers(queue)).as("between two polls").isZero();
  }

  @Test
  void manyMessagesAreAcknowledgedInAnyOrder() throws Exception {
    plain.declare(queue, Map.of());
    plain.send(queue, texts(300));
    Source source = open(settings());
    Random random = new Random(27);
    List<SourceMessage> open = new ArrayList<>();
    List<String> done = new ArrayList<>();
    while (done.size() < 250) {
      if (open.size() < 40 && done.size() + open.size() < 300) {
        open.addAll(await(source.poll(20)));
      }
      List<SourceMessage> part = open.stream().filter(each -> random.nextInt(3) == 0).toList();
      await(source.complete(receipts(part)));
      open.removeAll(part);
      part.forEach(each -> done.add(each.id()));
    }
    await(source.close());
    int left = 300 - done.size();
    Eventually.isTrue("what is open is back", () -> waiting() == left);
    assertThat(take(open(settings()), left).stream().map(SourceMessage::id))
        .containsAll(open.stream().map(SourceMessage::id).toList())
        .doesNotContainAnyElementsOf(done);
  }

  private int waiting() {
    try {
      return plain.waiting(queue);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void withItsConnectionAllReceiptsAreLost() throws Exception {
    plain.declare(queue, Map.of());
    plain.send(queue, texts(2));
    Wire wire = Wire.before(vertx, server.port());
    Source source = open(settings(wire.port()));
    List<SourceMessage> taken = take(source, 2);
    assertThat(await(source.extend(receipts(taken)))).isEmpty();
    wire.cut();
    Eventually.assertThat(
        () ->
            assertThat(await(source.extend(receipts(taken))))
                .containsExactlyInAnyOrderElementsOf(receipts(taken)));
    assertFails(source.poll(1), "not connected any more");
    assertFails(source.complete(receipts(taken)), "not connected any more");
    assertThat(take(open(settings()), 2)).allMatch(each -> each.deliveries() == 2);
  }

  @Test
  void pollsFailWhenTheQueueIsDeleted() throws Exception {
    plain.declare(queue, Map.of());
    // a poll that waits until it is failed
    RabbitmqKind kind = new RabbitmqKind(new ManualTime());
    Source source =
        OnContext.of(vertx, kind.create(PlayedMemory.context(vertx, queue, settings())));
    sources.add(source);
    await(source.open());
    Future<List<SourceMessage>> polled = source.poll(1);
    Eventually.isTrue("it consumes", this::isConsumed);
    plain.delete(queue);
    assertFails(polled, "was deleted");
    assertFails(source.poll(1), "no queue");
    assertFails(unopened(settings()).open(), "no queue");
  }

  private boolean isConsumed() {
    try {
      return plain.consumers(queue) == 1;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aMessageWithoutAnIdIsSetAside() throws Exception {
    plain.declare(queue, Map.of());
    plain.send(queue, new BasicProperties.Builder(), Buffer.buffer("nameless"));
    plain.send(queue, new BasicProperties.Builder().messageId("7"), Buffer.buffer("named"));
    List<SourceMessage> taken = take(open(settings()), 1);
    assertThat(taken.get(0).id()).isEqualTo("7");
    GetResponse dead = plain.browse(queue + ".callboard.dead").get(0);
    assertThat(new String(dead.getBody())).isEqualTo("nameless");
    assertThat(PlainRabbit.header(dead, RabbitMessages.CAUSE))
        .contains("no message-id")
        .contains("\"id\"");
  }

  @Test
  void aMessageWithoutAnIdThatCannotBeSetAsideHoldsNoOther() throws Exception {
    plain.declare(queue, Map.of());
    plain.declare(queue + ".callboard.dead", Map.of("x-max-length", 10)); // not as the source's
    plain.send(queue, new BasicProperties.Builder(), Buffer.buffer("nameless"));
    plain.send(queue, new BasicProperties.Builder().messageId("7"), Buffer.buffer("named"));
    Source source = open(settings());
    List<SourceMessage> taken = take(source, 1);
    assertThat(taken.get(0).id()).isEqualTo("7");
    await(source.complete(receipts(taken)));
    assertThat(source.trouble().orElseThrow()).contains("PRECONDITION_FAILED");
    plain.delete(queue + ".callboard.dead");
    Eventually.assertThat(
        () -> {
          assertThat(await(source.poll(1))).isEmpty();
          assertThat(source.trouble()).isEmpty();
        });
    assertThat(plain.browse(queue + ".callboard.dead")).hasSize(1);
    assertThat(plain.waiting(queue)).isZero();
  }

  @Test
  void aQuorumQueueDropsNothingThatIsGivenBackOften() throws Exception {
    plain.declare(queue, Map.of("x-queue-type", "quorum", "x-delivery-limit", 20));
    plain.send(queue, texts(1));
    Source source = open(settings());
    String id = take(source, 1).get(0).id();
    await(source.close());
    Source next = open(settings());
    for (int i = 0; i < 30; i++) {
      await(next.release(receipts(take(next, 1))));
    }
    SourceMessage last = take(next, 1).get(0);
    assertThat(last.id()).isEqualTo(id);
    assertThat(last.deliveries()).isGreaterThan(25);
    await(next.complete(receipts(List.of(last))));
    assertThat(plain.waiting(queue)).isZero();
  }

  @Test
  void aFailedMessageIsPutBackByAQuorumQueueAtLeastOnce() throws Exception {
    plain.declare(queue, Map.of());
    plain.send(queue, texts(1));
    Source source = open(settings());
    await(source.fail(take(source, 1).get(0).receipt(), Duration.ofHours(1), "why"));
    // a server refuses it if it is otherwise
    plain.declare(
        queue + ".callboard.retry.3600000",
        Map.of(
            "x-queue-type",
            "quorum",
            "x-dead-letter-strategy",
            "at-least-once",
            "x-overflow",
            "reject-publish",
            "x-dead-letter-exchange",
            "",
            "x-dead-letter-routing-key",
            queue));
  }

  @Test
  void aMessageThatIsTooLargeIsSetAside() throws Exception {
    plain.declare(queue, Map.of());
    plain.send(queue, List.of(Buffer.buffer("large"), Buffer.buffer("fits")));
    assertThat(take(open(settings().put("maxSize", 4)), 1).get(0).body()).hasToString("fits");
    GetResponse dead = plain.browse(queue + ".callboard.dead").get(0);
    assertThat(PlainRabbit.header(dead, RabbitMessages.CAUSE))
        .contains("5 bytes")
        .contains("maxSize");
  }

  @Test
  void idsAreHeadersOrBodiesIfTheSettingSaysSo() throws Exception {
    plain.declare(queue, Map.of());
    BasicProperties.Builder named =
        new BasicProperties.Builder().headers(Map.of("order", 42L)).contentType("text/plain");
    plain.send(queue, named, Buffer.buffer("x"));
    Source byHeader = open(settings().put("id", "header:order"));
    SourceMessage first = take(byHeader, 1).get(0);
    assertThat(first.id()).isEqualTo("42");
    assertThat(first.headers()).isEqualTo(Map.of("order", "42", "content-type", "text/plain"));
    await(byHeader.release(List.of(first.receipt())));
    Source byBody = open(settings().put("id", "body"));
    assertThat(take(byBody, 1).get(0).id()).startsWith("sha256:2d711642");
  }

  @Test
  void aCopyGoesNowhereElse() throws Exception {
    plain.declare(queue, Map.of());
    plain.declare(queue + ".cc", Map.of());
    Map<String, Object> headers = new HashMap<>();
    headers.put("CC", List.of(queue + ".cc"));
    headers.put(
        "x-death",
        List.of(Map.of("queue", queue, "reason", "expired", "count", 1L, "exchange", "")));
    plain.send(
        queue,
        new BasicProperties.Builder().messageId("1").userId("guest").priority(3).headers(headers),
        Buffer.buffer("m"));
    assertThat(plain.waiting(queue + ".cc")).isEqualTo(1);
    Source source = open(settings());
    await(source.fail(take(source, 1).get(0).receipt(), Duration.ofMillis(50), "why"));
    SourceMessage again = take(source, 1).get(0);
    assertThat(again.id()).isEqualTo("1");
    assertThat(again.deliveries()).isEqualTo(2);
    assertThat(again.failures()).isEqualTo(1);
    await(source.fail(again.receipt(), Duration.ofMillis(50), "why"));
    SourceMessage third = take(source, 1).get(0);
    assertThat(third.deliveries()).isEqualTo(3);
    assertThat(third.failures()).isEqualTo(2);
    await(source.dead(third.receipt(), "x".repeat(10_000)));
    GetResponse dead = plain.browse(queue + ".callboard.dead").get(0);
    assertThat(dead.getProps().getPriority()).isEqualTo(3);
    assertThat(PlainRabbit.header(dead, RabbitMessages.USER)).isEqualTo("guest");
    assertThat(PlainRabbit.header(dead, RabbitMessages.CAUSE)).hasSize(2_000);
    assertThat(plain.waiting(queue + ".cc")).isEqualTo(1);
  }

  @Test
  void aLongDelayDoesNotHoldAShortOne() throws Exception {
    plain.declare(queue, Map.of());
    plain.send(queue, texts(2));
    Source source = open(settings());
    List<SourceMessage> both = take(source, 2);
    await(source.fail(both.get(0).receipt(), Duration.ofDays(400), "later"));
    await(source.fail(both.get(1).receipt(), Duration.ofMillis(300), "soon"));
    assertThat(take(source, 1).get(0).id()).isEqualTo(both.get(1).id());
    assertThat(await(source.poll(1))).isEmpty();
    assertThat(plain.browse(queue + ".callboard.retry.86400000").get(0).getProps().getExpiration())
        .as("a day at most")
        .isEqualTo("86400000");
  }

  @Test
  void quorumQueuesGiveBackAndSetAside() throws Exception {
    plain.declare(queue, Map.of("x-queue-type", "quorum"));
    plain.send(queue, texts(2));
    Source source = open(settings().put("queues", "quorum"));
    List<SourceMessage> both = take(source, 2);
    await(source.release(List.of(both.get(0).receipt())));
    SourceMessage released = take(source, 1).get(0);
    assertThat(released.deliveries()).isEqualTo(2);
    await(source.fail(both.get(1).receipt(), Duration.ofMillis(100), "why"));
    SourceMessage failed = take(source, 1).get(0);
    assertThat(failed.id()).isEqualTo(both.get(1).id());
    await(source.dead(failed.receipt(), "poison"));
    await(source.complete(receipts(List.of(released))));
    assertThat(plain.browse(queue + ".callboard.dead")).hasSize(1);
    await(source.close());
    assertThat(await(open(settings()).poll(1))).isEmpty();
  }

  @Test
  void queuesThatDeleteThemselvesAreRefused() throws Exception {
    for (boolean durable : new boolean[] {true, false}) {
      String deleted = queue + durable;
      plain.declareAutoDelete(deleted, durable);
      assertFails(unopened(settings().put("queue", deleted)).open(), "without auto-delete");
    }
    plain.declare(queue, Map.of("x-max-length", 10));
    assertThat(await(open(settings()).poll(1))).isEmpty();
  }

  @Test
  void streamsAreRefused() throws Exception {
    plain.declare(queue, Map.of("x-queue-type", "stream"));
    assertFails(unopened(settings()).open(), "is a stream");
    String limited = queue + ".limited";
    Map<String, Object> limits =
        Map.of(
            "x-queue-type",
            "stream",
            "x-max-length-bytes",
            20_000_000L,
            "x-max-age",
            "1h",
            "x-stream-max-segment-size-bytes",
            1_000_000L);
    plain.declare(limited, limits);
    assertFails(unopened(settings().put("queue", limited)).open(), "of type quorum or classic");
    String quorum = queue + ".quorum";
    plain.declare(
        quorum,
        Map.of("x-queue-type", "quorum", "x-max-length-bytes", 20_000_000L, "x-expires", 99_000));
    assertThat(await(open(settings().put("queue", quorum)).poll(1))).isEmpty();
  }

  @Test
  void failuresAreExplainedWithoutThePassword() throws Exception {
    JsonObject wrong = settings().put("user", "guest").put("password", "top-secret");
    assertThatThrownBy(() -> await(unopened(wrong).open()))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("ACCESS_REFUSED")
        .hasMessageNotContaining("top-secret");
    int nobody = FreePorts.one();
    assertFails(unopened(settings(nobody)).open(), String.valueOf(nobody));
    plain.declare(queue, Map.of());
    EmittedMessage message = new EmittedMessage("1", Buffer.buffer("x"), Map.of());
    Source source = open(settings());
    assertFails(source.emit("nowhere", message), "NO_ROUTE");
    await(source.emit(queue, message));
    assertThat(take(source, 1).get(0).id()).isEqualTo("1");
  }

  @Test
  void aMessageThatAmqpCannotCarryIsRefused() throws Exception {
    plain.declare(queue, Map.of());
    Source source = open(settings());
    EmittedMessage plainOne = new EmittedMessage("1", Buffer.buffer("x"), Map.of());
    EmittedMessage header =
        new EmittedMessage("1", Buffer.buffer("x"), Map.of("x".repeat(256), "v"));
    for (Future<Void> refused :
        List.of(source.emit("q".repeat(256), plainOne), source.emit(queue, header))) {
      assertThatThrownBy(() -> await(refused)).isInstanceOf(EmissionRefusedException.class);
    }
    await(source.emit(queue, new EmittedMessage("x".repeat(256), Buffer.buffer("m"), Map.of())));
    assertThat(take(source, 1).get(0).id()).startsWith("sha256-");
  }
}
