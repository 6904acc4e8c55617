package io.callboard.pollers.kafka;

import io.callboard.pollers.source.SourceException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Sends records so that they are on all replicas in sync, once. Its producer blocks until it knows
 * the topic, so worker threads of Vert.x call it.
 */
final class RecordSender {
  private static final Duration GOODBYE = Duration.ofSeconds(3);

  private final Vertx vertx;
  private final String name;
  private final KafkaSettings settings;
  private final KafkaClients clients;
  private @Nullable Producer<byte[], byte[]> producer;
  private boolean closed;

  RecordSender(Vertx vertx, String name, KafkaSettings settings, KafkaClients clients) {
    this.vertx = vertx;
    this.name = name;
    this.settings = settings;
    this.clients = clients;
  }

  Future<Void> open() {
    return vertx
        .executeBlocking(() -> clients.producer(ClientProperties.producer(settings, name)), false)
        .recover(cause -> Future.failedFuture(failure("makes no producer", cause)))
        .compose(
            made -> {
              producer = made;
              return closed ? close() : Future.succeededFuture();
            });
  }

  /** Sends a record; completes on the context of the caller when it is durable. */
  Future<Void> send(ProducerRecord<byte[], byte[]> record) {
    Producer<byte[], byte[]> open = producer;
    if (open == null || closed) {
      return Future.failedFuture(new SourceException(settings + " is not open"));
    }
    return vertx
        .executeBlocking(() -> begin(open, record), false)
        .compose(sent -> sent)
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
    return new SourceException("%s %s: %s".formatted(settings, what, cause), cause);
  }
}
