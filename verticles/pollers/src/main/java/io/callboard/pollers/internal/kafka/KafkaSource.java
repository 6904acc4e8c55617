package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.internal.blocking.SettingAside;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceException;
import io.callboard.pollers.source.SourceMemory;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** Topic of Kafka, polled by one member of a consumer group. */
final class KafkaSource implements Source {
  private final Vertx vertx;
  private final KafkaSettings settings;
  private final SourceMemory memory;
  private final Time time;
  private final ConsumerThread thread;
  private final RecordSender sender;
  private final SettingAside aside;
  private @Nullable RetryTopic retryTopic;

  KafkaSource(
      Vertx vertx,
      String name,
      KafkaSettings settings,
      KafkaClients clients,
      SourceMemory memory,
      Time time) {
    this.vertx = vertx;
    this.settings = settings;
    this.memory = memory;
    this.time = time;
    this.thread = new ConsumerThread(name, settings, clients, time);
    this.sender = new RecordSender(vertx, name, settings, clients, time);
    this.aside = new SettingAside(vertx, time, settings.toString(), this::dead);
  }

  /** Brings a result to the context of the caller. */
  private <T> Future<T> here(CompletionStage<T> stage) {
    Context context = vertx.getOrCreateContext();
    return Future.fromCompletionStage(stage, context);
  }

  @Override
  public Future<Void> open() {
    String key = new TopicIdentity(settings.topic(), Uuid.ZERO_UUID).key();
    return memory
        .read()
        .compose(
            known ->
                here(thread.open(known.get(key)))
                    .compose(
                        topics -> {
                          retryTopic = topics.retry();
                          return remember(topics.identity(), known.get(key));
                        }))
        .compose(v -> sender.open());
  }

  /** Remembers the first topic under its name, before anything is taken from it. */
  private Future<Void> remember(TopicIdentity topic, @Nullable Long first) {
    return topic.isFirst(first)
        ? memory.write(Map.of(topic.key(), topic.number()), List.of())
        : Future.succeededFuture();
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    if (aside.isFull()) {
      return aside.thenDeliver(List.of());
    }
    return here(thread.<List<SourceMessage>>call((loop, taken) -> loop.ask(most, taken)))
        .compose(taken -> aside.thenDeliver(withoutTooLarge(taken)));
  }

  private List<SourceMessage> withoutTooLarge(List<SourceMessage> taken) {
    List<SourceMessage> messages = new ArrayList<>();
    for (SourceMessage each : taken) {
      if (each.body().length() <= settings.maxSize()) {
        messages.add(each);
      } else {
        String cause = "it has %,d bytes; the source takes up to %,d bytes (setting maxSize)";
        aside.add(each.receipt(), cause.formatted(each.body().length(), settings.maxSize()));
      }
    }
    return messages;
  }

  @Override
  public Future<Set<String>> extend(Collection<String> receipts) {
    List<String> asked = List.copyOf(receipts);
    return here(
        thread.call(
            (loop, lost) ->
                lost.complete(
                    asked.stream()
                        .filter(receipt -> !loop.taken().isOpen(receipt))
                        .collect(Collectors.toSet()))));
  }

  @Override
  public Future<Void> complete(Collection<String> receipts) {
    List<String> asked = List.copyOf(receipts);
    return here(thread.call((loop, committed) -> loop.done(asked, committed)));
  }

  @Override
  public Future<Void> fail(String receipt, Duration delay, String cause) {
    return replace(
        receipt,
        (failed, id, retry) ->
            RetryHeaders.retry(
                failed,
                id,
                retry,
                time.clock().instant().plus(delay),
                retry.partition(delay),
                cause));
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    return replace(
        receipt,
        (poison, id, retry) -> RetryHeaders.dead(poison, id, retry, settings.deadTopic(), cause));
  }

  /** Makes the record that takes the place of another. */
  @FunctionalInterface
  private interface Successor {
    ProducerRecord<byte[], byte[]> of(
        ConsumerRecord<byte[], byte[]> record, String id, RetryTopic retry);
  }

  /** Sends a record in place of one that was delivered, and only then acknowledges that. */
  private Future<Void> replace(String receipt, Successor successor) {
    RetryTopic retry = retryTopic;
    if (retry == null) {
      return Future.failedFuture(new SourceException(settings + " is not open"));
    }
    return here(taken(receipt))
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture()
                    : sender
                        .copy(successor.of(found.get().record(), found.get().id(), retry))
                        .compose(sent -> complete(List.of(receipt))));
  }

  private CompletableFuture<Optional<HeldRecords.Delivery>> taken(String receipt) {
    return thread.call(
        (loop, found) -> found.complete(Optional.ofNullable(loop.taken().delivery(receipt))));
  }

  @Override
  public Future<Void> release(Collection<String> receipts) {
    List<String> asked = List.copyOf(receipts);
    return here(
        thread.call(
            (loop, released) -> {
              asked.forEach(loop.taken()::release);
              released.complete(null);
            }));
  }

  @Override
  public Future<Void> emit(String target, EmittedMessage message) {
    return sender.emit(RetryHeaders.emitted(target, message));
  }

  @Override
  public Future<OptionalLong> lag() {
    return here(thread.call((loop, lag) -> lag.complete(loop.lag())));
  }

  @Override
  public Optional<String> trouble() {
    return aside.trouble();
  }

  /** Returns no lease: a member of a group keeps its records for as long as it is a member. */
  @Override
  public Optional<Duration> lease() {
    return Optional.empty();
  }

  @Override
  public Future<Void> close() {
    return here(thread.close()).eventually(sender::close);
  }
}
