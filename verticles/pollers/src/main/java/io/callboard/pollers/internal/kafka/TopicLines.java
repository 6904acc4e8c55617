package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.source.SourceException;
import io.callboard.time.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Records that wait to be handed to a producer, which blocks while it does not know their topic. Of
 * each topic one at a time is handed over; if the topic stays unknown, those behind it fail with
 * it. What has waited for longer than its caller is not handed over at all. All methods are called
 * on one context.
 */
final class TopicLines {
  /** Most records that wait. */
  static final int MOST = 1_000;

  private final WorkerExecutor threads;
  private final Time time;
  private final Duration patience;
  private final Map<String, Deque<Waiting>> lines = new HashMap<>();
  private int waiting;
  private boolean closed;

  /**
   * Creates lines without any record.
   *
   * @param threads threads that may block
   * @param patience time for which a caller waits
   */
  TopicLines(WorkerExecutor threads, Time time, Duration patience) {
    this.threads = threads;
    this.time = time;
    this.patience = patience;
  }

  /** Record that waits; the first of its line is being handed over. */
  private record Waiting(
      ProducerRecord<byte[], byte[]> record, long sinceNanos, Promise<Void> sent) {}

  /**
   * Hands a record to the producer, which may block; the future completes when the record is
   * durable.
   */
  @FunctionalInterface
  interface Handing extends Function<ProducerRecord<byte[], byte[]>, Future<Void>> {}

  /** Lines a record up; completes when it is durable. */
  Future<Void> send(ProducerRecord<byte[], byte[]> record, Handing handing) {
    if (closed) {
      return Future.failedFuture(new SourceException("it is closed"));
    } else if (waiting >= MOST) {
      return Future.failedFuture(
          new SourceException("%,d records wait to be sent, which is the limit".formatted(MOST)));
    }
    Promise<Void> sent = Promise.promise();
    Deque<Waiting> line = lines.computeIfAbsent(record.topic(), topic -> new ArrayDeque<>());
    line.add(new Waiting(record, time.nanoTime(), sent));
    waiting++;
    if (line.size() == 1) {
      handFirst(line, handing);
    }
    return sent.future();
  }

  private void handFirst(Deque<Waiting> line, Handing handing) {
    Waiting first = line.element();
    threads
        .executeBlocking(() -> hand(first, handing), false)
        .onComplete(handed -> handed(line, first, handed, handing));
  }

  private Future<Void> hand(Waiting its, Handing handing) {
    long nanos = time.nanoTime() - its.sinceNanos();
    return nanos < patience.toNanos()
        ? handing.apply(its.record())
        : Future.failedFuture(
            new SourceException(
                "it has waited for %,d s, behind records for topics that do not answer"
                    .formatted(Duration.ofNanos(nanos).toSeconds())));
  }

  private void handed(
      Deque<Waiting> line, Waiting its, AsyncResult<Future<Void>> handed, Handing handing) {
    if (closed) {
      return;
    }
    Future<Void> sending =
        handed.succeeded() ? handed.result() : Future.failedFuture(handed.cause());
    line.remove();
    waiting--;
    List<Waiting> behind = List.of();
    if (sending.failed() && sending.cause() instanceof TimeoutException) {
      behind = List.copyOf(line);
      waiting -= behind.size();
      line.clear();
    }
    if (line.isEmpty()) {
      lines.remove(its.record().topic());
    } else {
      handFirst(line, handing);
    }
    sending.onComplete(its.sent()); // last: who learns of it may close, or send again
    behind.forEach(each -> each.sent().fail(sending.cause()));
  }

  /** Fails what waits. */
  void close() {
    closed = true;
    List<Waiting> all = lines.values().stream().flatMap(Deque::stream).toList();
    lines.clear();
    waiting = 0;
    all.forEach(each -> each.sent().fail(new SourceException("it was closed meanwhile")));
  }
}
