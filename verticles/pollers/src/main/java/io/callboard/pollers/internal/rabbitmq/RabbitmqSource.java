package io.callboard.pollers.internal.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import io.callboard.pollers.internal.blocking.SettingAside;
import io.callboard.pollers.source.EmissionRefusedException;
import io.callboard.pollers.source.EmittedMessage;
import io.callboard.pollers.source.Source;
import io.callboard.pollers.source.SourceMessage;
import io.callboard.time.Time;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queue of RabbitMQ. All that takes and acknowledges runs on one thread, as its channel must. */
final class RabbitmqSource implements Source {
  private static final Logger LOG = LoggerFactory.getLogger(RabbitmqSource.class);

  /** Time that a poll waits for the first message. */
  private static final Duration POLL = Duration.ofMillis(1_500);

  /**
   * A quorum queue drops what has come back 20 times, if it is not told otherwise; what has come
   * back as often as this is replaced by a copy, which counts from 0.
   */
  private static final long WORN = 10;

  private final Vertx vertx;
  private final RabbitmqSettings settings;
  private final Time time;
  private final RabbitThreads threads;
  private final Unacknowledged open = new Unacknowledged();
  private final PollSizes sizes = new PollSizes();
  private final SettingAside aside;

  RabbitmqSource(Vertx vertx, String name, RabbitmqSettings settings, Time time) {
    this.vertx = vertx;
    this.settings = settings;
    this.time = time;
    this.threads = new RabbitThreads(vertx, name, settings);
    this.aside = new SettingAside(vertx, time, settings.toString(), this::dead);
  }

  @Override
  public Future<Void> open() {
    if (!settings.quorum()) {
      LOG.warn(
          "{}: its retry queues are classic: a message that waits there is lost if the server dies"
              + " while it puts it back (setting queues)",
          settings);
    }
    return threads.open();
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    if (aside.isFull()) {
      return aside.thenDeliver(List.of());
    }
    PollConsumer consumer = new PollConsumer(settings);
    int size = sizes.next(most);
    Context context = vertx.getOrCreateContext();
    return threads
        .taking("cannot be polled", channel -> begin(channel, consumer, size))
        .compose(tag -> awaitFirst(consumer, context).map(tag))
        .compose(tag -> threads.taking("cannot end a poll", channel -> cancel(channel, tag)))
        .compose(cancelled -> Future.fromCompletionStage(consumer.all(), context))
        .compose(all -> threads.taking("cannot be polled", channel -> take(all)))
        .compose(this::renewThatAreWorn)
        .compose(
            polled -> {
              sizes.took(polled.number(), polled.bytes());
              polled.unfit().forEach(aside::add);
              return aside.thenDeliver(polled.messages());
            });
  }

  /** Begins to consume; what is on the way, and not acknowledged, is never more than asked for. */
  private String begin(Channel channel, PollConsumer consumer, int size) throws Exception {
    channel.basicQos(size, false);
    return channel.basicConsume(settings.queue(), false, consumer);
  }

  private Future<Void> awaitFirst(PollConsumer consumer, Context context) {
    Time.Alarm alarm = time.after(context, POLL, consumer::over);
    return Future.fromCompletionStage(consumer.first(), context).onComplete(any -> alarm.cancel());
  }

  private static Boolean cancel(Channel channel, String tag) throws Exception {
    channel.basicCancel(tag);
    return true;
  }

  /**
   * Messages that a poll has taken.
   *
   * @param worn messages that have come back often
   * @param unfit causes of what is set aside, by receipt
   */
  private record Polled(
      List<SourceMessage> messages,
      List<SourceMessage> worn,
      Map<String, String> unfit,
      int number,
      long bytes) {}

  private Polled take(List<Delivery> all) {
    long bytes = all.stream().mapToLong(each -> each.getBody().length).sum();
    Polled polled =
        new Polled(new ArrayList<>(), new ArrayList<>(), new HashMap<>(), all.size(), bytes);
    for (Delivery each : all) {
      String receipt = open.add(each);
      String id = RabbitMessages.id(each, settings);
      int size = each.getBody().length;
      if (id == null) {
        polled.unfit().put(receipt, withoutId());
      } else if (size > settings.maxSize()) {
        String cause = "it has %,d bytes; the source takes up to %,d bytes (setting maxSize)";
        polled.unfit().put(receipt, cause.formatted(size, settings.maxSize()));
      } else {
        List<SourceMessage> its =
            RabbitMessages.timesGivenBack(each) < WORN ? polled.messages() : polled.worn();
        its.add(RabbitMessages.message(each, settings.queue(), id, receipt));
      }
    }
    return polled;
  }

  private String withoutId() {
    return "it has no %s of 1 to 300 characters, so it cannot be told apart from others; the"
            .formatted(settings.id())
        + " setting \"id\" of the source says what else may";
  }

  /** Replaces what has come back often; what cannot be is delivered as it is. */
  private Future<Polled> renewThatAreWorn(Polled polled) {
    Future<Void> ended = Future.succeededFuture();
    for (SourceMessage each : List.copyOf(polled.worn())) {
      ended =
          ended
              .compose(v -> replace(each.receipt(), this::renew))
              .onSuccess(v -> polled.worn().remove(each));
    }
    return ended.transform(
        done -> {
          if (done.failed()) {
            LOG.warn("{}: what has come back often is not replaced", settings, done.cause());
            polled.messages().addAll(polled.worn());
          }
          return Future.succeededFuture(polled);
        });
  }

  private void renew(ConfirmedPublisher publisher, Delivery worn) throws Exception {
    publisher.publish(
        settings.queue(), RabbitMessages.renewed(worn, settings.queue()), worn.getBody());
  }

  @Override
  public Future<Set<String>> extend(Collection<String> receipts) {
    return threads.lost(
        Set.copyOf(receipts),
        asked ->
            asked.stream()
                .filter(receipt -> open.get(receipt) == null)
                .collect(Collectors.toSet()));
  }

  @Override
  public Future<Void> complete(Collection<String> receipts) {
    List<String> asked = List.copyOf(receipts);
    return threads
        .taking(
            "cannot acknowledge",
            channel -> {
              for (Unacknowledged.Ack ack : open.acknowledge(asked)) {
                channel.basicAck(ack.tag(), ack.multiple());
              }
              return isRead(channel);
            })
        .mapEmpty();
  }

  /** Waits for the answer to a call that changes nothing: all that was sent before was read. */
  private static boolean isRead(Channel channel) throws Exception {
    channel.basicQos(1, false);
    return true;
  }

  @Override
  public Future<Void> fail(String receipt, Duration delay, String cause) {
    RetryQueue queue = RetryQueue.of(settings.queue(), delay);
    return replace(
        receipt,
        (publisher, failed) -> {
          publisher.declare(queue.name(), RetryQueue.arguments(settings));
          BasicProperties properties =
              RabbitMessages.retry(failed, settings.queue(), queue.delay(), cause);
          publisher.publish(queue.name(), properties, failed.getBody());
        });
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    return replace(
        receipt,
        (publisher, poison) -> {
          publisher.declare(settings.deadQueue(), RetryQueue.ofTheDead(settings));
          BasicProperties properties = RabbitMessages.dead(poison, settings.queue(), cause);
          publisher.publish(settings.deadQueue(), properties, poison.getBody());
        });
  }

  /** Publishes what takes the place of a message. */
  @FunctionalInterface
  private interface Successor {
    void publish(ConfirmedPublisher publisher, Delivery delivery) throws Exception;
  }

  /** Publishes a message in place of one that was taken, and only then acknowledges that. */
  private Future<Void> replace(String receipt, Successor successor) {
    return threads
        .taking("is lost", channel -> Optional.ofNullable(open.get(receipt)))
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture()
                    : threads
                        .publishing(publisher -> successor.publish(publisher, found.get()))
                        .compose(published -> complete(List.of(receipt))));
  }

  @Override
  public Future<Void> release(Collection<String> receipts) {
    List<String> asked = List.copyOf(receipts);
    return threads
        .taking(
            "cannot give back",
            channel -> {
              for (long tag : open.remove(asked)) {
                channel.basicNack(tag, false, true);
              }
              return isRead(channel);
            })
        .mapEmpty();
  }

  @Override
  public Future<Void> emit(String target, EmittedMessage message) {
    if (RabbitMessages.isTooLong(target)) {
      return Future.failedFuture(
          new EmissionRefusedException(
              "%s: the name of a queue has up to 255 bytes, not \"%s\""
                  .formatted(settings, target)));
    }
    return threads.publishing(
        publisher ->
            publisher.publish(target, RabbitMessages.emitted(message), message.body().getBytes()));
  }

  @Override
  public Future<OptionalLong> lag() {
    return threads.taking(
        "cannot be counted",
        channel ->
            OptionalLong.of(channel.queueDeclarePassive(settings.queue()).getMessageCount()));
  }

  @Override
  public Optional<String> trouble() {
    return aside.trouble();
  }

  /** Returns no lease: a server keeps taken messages for the channel that has them. */
  @Override
  public Optional<Duration> lease() {
    return Optional.empty();
  }

  @Override
  public Future<Void> close() {
    return threads.close();
  }
}
