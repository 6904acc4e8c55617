package io.callboard.pollers.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.pollers.source.SourceException;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.Futures;
import io.callboard.testkit.ManualTime;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Emissions to topics that are missing, with a producer that blocks for as long as a test likes.
 */
class RecordSenderTest {
  private static final String MISSING = "missing";

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final ManualTime time = new ManualTime();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final Queue<String> begun = new ConcurrentLinkedQueue<>();
  private RecordSender sender;

  /** Producer that does not know topics whose names begin with {@link #MISSING}. */
  private final class Blocking extends MockProducer<byte[], byte[]> {
    Blocking() {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    // as Kafka's own: each caller blocks by itself
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    @Override
    public java.util.concurrent.Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      begun.add(record.topic());
      if (record.topic().startsWith(MISSING)) {
        try {
          answer.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        TimeoutException unknown = new TimeoutException("no metadata of " + record.topic());
        callback.onCompletion(null, unknown);
        return java.util.concurrent.CompletableFuture.failedFuture(unknown);
      }
      return super.send(record, callback);
    }
  }

  @BeforeEach
  void open() {
    KafkaClients clients =
        new KafkaClients() {
          @Override
          public Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
            throw new UnsupportedOperationException();
          }

          @Override
          public Producer<byte[], byte[]> producer(Map<String, Object> properties) {
            return new Blocking();
          }

          @Override
          public Admin admin(Map<String, Object> properties) {
            throw new UnsupportedOperationException();
          }
        };
    KafkaSettings settings =
        KafkaSettings.of(
            new JsonObject().put("servers", "k:9092").put("topic", "orders").put("group", "g"));
    sender = new RecordSender(vertx, "s", settings, clients, time);
    Futures.await(sender.open());
  }

  @AfterEach
  void end() {
    answer.countDown();
    try {
      Futures.await(sender.close());
    } finally {
      Futures.await(vertx.close());
    }
  }

  private Future<Void> emit(String topic) {
    Promise<Void> sent = Promise.promise();
    context.runOnContext(
        v -> sender.emit(new ProducerRecord<>(topic, new byte[1])).onComplete(sent));
    return sent.future();
  }

  private List<Future<Void>> emit(String topic, int count) {
    List<Future<Void>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(emit(topic));
    }
    return all;
  }

  @Test
  void aMissingTopicDelaysNoOtherAndIsAskedForOnce() {
    List<Future<Void>> missing = emit(MISSING, 10);
    Futures.await(emit("there"));
    assertThat(missing).noneMatch(Future::isComplete);
    answer.countDown();
    for (Future<Void> each : missing) {
      assertThatThrownBy(() -> Futures.await(each))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("no metadata of missing");
    }
    assertThat(begun).containsExactlyInAnyOrder(MISSING, "there");
    Futures.await(emit("there"));
  }

  @Test
  void aRecordThatHasWaitedForLongerThanItsCallIsNotSent() {
    List<Future<Void>> missing = List.of(emit(MISSING + 1), emit(MISSING + 2));
    Eventually.isTrue("both threads block", () -> begun.size() == 2);
    Future<Void> late = emit("there");
    Futures.await(Future.future(done -> context.runOnContext(v -> done.complete())));
    time.advance(KafkaKind.PATIENCE);
    answer.countDown();
    assertThatThrownBy(() -> Futures.await(late))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("waited for 20 s");
    assertThat(begun).doesNotContain("there");
    Eventually.isTrue("the others fail", () -> missing.stream().allMatch(Future::failed));
    Futures.await(emit("there"));
  }

  @Test
  void theNumberOfWaitingRecordsHasALimit() {
    List<Future<Void>> waiting = emit(MISSING, TopicLines.MOST);
    assertThatThrownBy(() -> Futures.await(emit("there")))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("1,000 records wait");
    answer.countDown();
    Eventually.isTrue("all have failed", () -> waiting.stream().allMatch(Future::failed));
    Futures.await(emit("there"));
  }

  @Test
  void aRecordThatWaitsWhenTheSenderClosesFails() {
    List<Future<Void>> waiting = emit(MISSING, 3);
    Eventually.isTrue("the first is being sent", () -> begun.size() == 1);
    context.runOnContext(v -> sender.close());
    for (Future<Void> each : waiting) {
      assertThatThrownBy(() -> Futures.await(each)).hasMessageContaining("closed");
    }
  }
}
