package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.SourceException;
import io.callboard.supervision.Causes;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Sends records so that they are on all replicas in sync, once. Its producer blocks until it knows
 * the topic, up to 5 s if there is none, so threads of its own call it: others for what is emitted,
 * to any topic and so in {@link TopicLines}, than for copies, which go to topics that are there.
 */
final class RecordSender {
  private static final Duration GOODBYE = Duration.ofSeconds(3);
  private static final int EMITTING_THREADS = 2;
  private static final AtomicLong MADE = new AtomicLong();

  private final Vertx vertx;
  private final String name;
  private final KafkaSettings settings;
  private final KafkaClients clients;
  private final WorkerExecutor copying;
  private final WorkerExecutor emitting;
  private final TopicLines lines;
  private @Nullable Producer<byte[], byte[]> producer;
  private boolean closed;

  RecordSender(Vertx vertx, String name, KafkaSettings settings, KafkaClients clients, Time time) {
    this.vertx = vertx;
    this.name = name;
    this.settings = settings;
    this.clients = clients;
    // neither other sources share them nor its successor
    String threads = "callboard-source-%s-kafka-%d".formatted(name, MADE.incrementAndGet());
    this.copying = vertx.createSharedWorkerExecutor(threads + "-copy", 1);
    this.emitting = vertx.createSharedWorkerExecutor(threads + "-emit", EMITTING_THREADS);
    this.lines = new TopicLines(emitting, time, KafkaKind.PATIENCE);
  }

  Future<Void> open() {
    if (closed) {
      return Future.failedFuture(new SourceException(settings + " is closed"));
    }
    return copying
        .executeBlocking(() -> clients.producer(ClientProperties.producer(settings, name)), false)
        .recover(cause -> Future.failedFuture(failure("makes no producer", cause)))
        .compose(
            made -> {
              producer = made;
              return closed ? endProducer() : Future.succeededFuture();
            });
  }

  /** Sends a copy; completes on the context of the caller when it is durable. */
  Future<Void> copy(ProducerRecord<byte[], byte[]> record) {
    return send(
        record,
        open ->
            copying.executeBlocking(() -> begin(open, record), false).compose(sending -> sending));
  }

  /** Sends an emitted record; completes on the context of the caller when it is durable. */
  Future<Void> emit(ProducerRecord<byte[], byte[]> record) {
    return send(record, open -> lines.send(record, its -> begin(open, its)))
        .recover(failure -> Future.failedFuture(refused(failure)));
  }

  /**
   * Returns a failure that a repetition would meet again as an {@link EmissionRefusedException}.
   */
  private static Throwable refused(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause instanceof RecordTooLargeException || cause instanceof InvalidTopicException
        ? new EmissionRefusedException(String.valueOf(failure.getMessage()))
        : failure;
  }

  private Future<Void> send(
      ProducerRecord<byte[], byte[]> record,
      Function<Producer<byte[], byte[]>, Future<Void>> sending) {
    Producer<byte[], byte[]> open = producer;
    if (open == null || closed) {
      return Future.failedFuture(new SourceException(settings + " is not open"));
    }
    Context context = vertx.getOrCreateContext();
    Promise<Void> sent = ((ContextInternal) context).promise();
    sending.apply(open).onComplete(sent);
    return sent.future()
        .recover(
            cause ->
                Future.failedFuture(
                    failure("does not take a record for " + record.topic(), cause)));
  }

  /** Hands a record to the producer, and returns what becomes of it. */
  private static Future<Void> begin(
      Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    Promise<Void> sent = Promise.promise();
    var unused =
        producer.send(
            record,
            (metadata, failure) -> {
              if (failure == null) {
                sent.complete();
              } else {
                sent.fail(failure);
              }
            });
    return sent.future();
  }

  Future<Void> close() {
    closed = true;
    lines.close();
    return endProducer().eventually(copying::close).eventually(emitting::close);
  }

  private Future<Void> endProducer() {
    Producer<byte[], byte[]> open = producer;
    producer = null;
    return open == null
        ? Future.succeededFuture()
        : vertx.executeBlocking(
            () -> {
              open.close(GOODBYE);
              return null;
            },
            false);
  }

  private SourceException failure(String what, Throwable cause) {
    return new SourceException("%s %s: %s".formatted(settings, what, Causes.message(cause)), cause);
  }
}
