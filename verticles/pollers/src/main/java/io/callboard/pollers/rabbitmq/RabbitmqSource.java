package io.callboard.pollers.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queue of RabbitMQ. All that takes and acknowledges runs on one thread, as its channel must. */
final class RabbitmqSource implements Source {
  private static final Logger LOG = LoggerFactory.getLogger(RabbitmqSource.class);

  /** How long a poll waits for the first message. */
  private static final Duration POLL = Duration.ofMillis(1_500);

  private static final int MOST_OF_A_POLL = 65_535;

  private final Vertx vertx;
  private final RabbitmqSettings settings;
  private final Time time;
  private final RabbitThreads threads;
  private final Unacknowledged open = new Unacknowledged();

  RabbitmqSource(Vertx vertx, String name, RabbitmqSettings settings, Time time) {
    this.vertx = vertx;
    this.settings = settings;
    this.time = time;
    this.threads = new RabbitThreads(vertx, name, settings);
  }

  @Override
  public Future<Void> open() {
    return threads.open();
  }

  @Override
  public Future<List<SourceMessage>> poll(int most) {
    PollConsumer consumer = new PollConsumer(settings);
    Context context = vertx.getOrCreateContext();
    return threads
        .taking("cannot be polled", channel -> begin(channel, consumer, most))
        .compose(tag -> awaitFirst(consumer, context).map(tag))
        .compose(tag -> threads.taking("cannot end a poll", channel -> cancel(channel, tag)))
        .compose(cancelled -> Future.fromCompletionStage(consumer.all(), context))
        .compose(all -> threads.taking("cannot be polled", channel -> take(all)))
        .compose(this::setAsideThoseWithoutId);
  }

  /** Begins to consume; what is on the way, and not acknowledged, is never more than asked for. */
  private String begin(Channel channel, PollConsumer consumer, int most) throws Exception {
    channel.basicQos(Math.min(most, MOST_OF_A_POLL), false);
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

  /** What a poll has taken. */
  private record Polled(List<SourceMessage> messages, List<String> withoutId) {}

  private Polled take(List<Delivery> all) {
    Polled polled = new Polled(new ArrayList<>(), new ArrayList<>());
    for (Delivery each : all) {
      String receipt = open.add(each);
      String id = Copies.id(each, settings);
      if (id == null) {
        polled.withoutId().add(receipt);
      } else {
        polled.messages().add(Copies.message(each, id, receipt));
      }
    }
    return polled;
  }

  private Future<List<SourceMessage>> setAsideThoseWithoutId(Polled polled) {
    Future<Void> aside = Future.succeededFuture();
    for (String receipt : polled.withoutId()) {
      LOG.warn("{}: a message without {} is set aside", settings, settings.id());
      String cause =
          "it has no %s of 1 to 300 characters, so it cannot be told apart from others; the setting"
                  .formatted(settings.id())
              + " \"id\" of the source says what else may";
      aside = aside.compose(done -> dead(receipt, cause));
    }
    return aside.map(polled.messages());
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
          BasicProperties properties = Copies.retry(failed, queue.delay(), cause);
          publisher.publish(queue.name(), properties, failed.getBody());
        });
  }

  @Override
  public Future<Void> dead(String receipt, String cause) {
    return replace(
        receipt,
        (publisher, poison) -> {
          publisher.declare(settings.deadQueue(), RetryQueue.type(settings));
          publisher.publish(settings.deadQueue(), Copies.dead(poison, cause), poison.getBody());
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
    return threads.publishing(
        publisher -> publisher.publish(target, Copies.emitted(message), message.body().getBytes()));
  }

  @Override
  public Future<OptionalLong> lag() {
    return threads.taking(
        "cannot be counted",
        channel ->
            OptionalLong.of(channel.queueDeclarePassive(settings.queue()).getMessageCount()));
  }

  /** A server keeps what was taken for the channel that has it. */
  @Override
  public Optional<Duration> lease() {
    return Optional.empty();
  }

  @Override
  public Future<Void> close() {
    return threads.close();
  }
}
