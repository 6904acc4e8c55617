package io.callboard.pollers.internal.kafka;

import io.callboard.pollers.source.SourceException;
import io.callboard.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread of one consumer, which is not thread-safe: opens it, runs its {@link ConsumerLoop} with
 * what others ask for, and closes it.
 */
final class ConsumerThread {
  private static final Logger LOG = LoggerFactory.getLogger(ConsumerThread.class);
  private static final Duration GOODBYE = Duration.ofSeconds(3);

  private final String name;
  private final KafkaSettings settings;
  private final KafkaClients clients;
  private final Time time;
  private final CompletableFuture<KafkaTopics.Prepared> opened = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  // guarded by this
  private final Queue<Call<?>> calls = new ArrayDeque<>();
  private @Nullable Consumer<byte[], byte[]> polled;
  private @Nullable Long firstTopic;
  private boolean started;
  private boolean closing;
  private @Nullable SourceException failure;

  /** Something to do on the thread, and its result. */
  private record Call<T>(
      BiConsumer<ConsumerLoop, CompletableFuture<T>> act, CompletableFuture<T> result) {
    void run(ConsumerLoop loop, KafkaSettings settings) {
      try {
        act.accept(loop, result);
      } catch (RuntimeException e) {
        result.completeExceptionally(
            new SourceException("%s does not answer: %s".formatted(settings, e), e));
      }
    }
  }

  ConsumerThread(String name, KafkaSettings settings, KafkaClients clients, Time time) {
    this.name = name;
    this.settings = settings;
    this.clients = clients;
    this.time = time;
  }

  /**
   * Starts the thread; completes when the brokers have answered.
   *
   * @param first what is remembered of the first topic under its name; null for nothing
   */
  CompletableFuture<KafkaTopics.Prepared> open(@Nullable Long first) {
    synchronized (this) {
      if (started || closing) {
        return CompletableFuture.failedFuture(
            new SourceException(settings + " is open or closed already"));
      }
      started = true;
      firstTopic = first;
    }
    Thread thread = new Thread(this::run, "callboard-source-" + name);
    thread.setDaemon(true);
    thread.start();
    return opened;
  }

  /**
   * Does something on the thread.
   *
   * @param act completes the future, now or later
   */
  <T> CompletableFuture<T> call(BiConsumer<ConsumerLoop, CompletableFuture<T>> act) {
    CompletableFuture<T> result = new CompletableFuture<>();
    synchronized (this) {
      if (closing || failure != null || !started) {
        result.completeExceptionally(
            failure != null ? failure : new SourceException(settings + " is not open"));
        return result;
      }
      calls.add(new Call<>(act, result));
      if (polled != null) {
        polled.wakeup();
      }
    }
    return result;
  }

  /** Ends the thread; completes when the consumer is closed. */
  CompletableFuture<Void> close() {
    synchronized (this) {
      closing = true;
      if (!started) {
        ended.complete(null);
      } else if (polled != null) {
        polled.wakeup();
      }
    }
    return ended;
  }

  private synchronized boolean isClosing() {
    return closing;
  }

  private void run() {
    SourceException why = new SourceException(settings + " is closed");
    try (ClosingAdmin admin = new ClosingAdmin(clients.admin(adminProperties()))) {
      KafkaTopics.Prepared topics = new KafkaTopics(admin.of(), settings).prepare();
      String prefix = topics.identity().prefix(firstTopic());
      try (Closing consumer = new Closing(clients.consumer(consumerProperties()))) {
        RetryPurge purge = new RetryPurge(admin.of(), settings, time);
        ConsumerLoop loop = new ConsumerLoop(settings, consumer.of(), purge, prefix, time);
        loop.subscribe();
        opened.complete(topics);
        why = loop(loop, consumer.of(), why);
        loop.end(why);
      }
    } catch (Exception | Error e) {
      Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
      why =
          cause instanceof SourceException known
              ? known
              : new SourceException("%s cannot be opened: %s".formatted(settings, cause), cause);
    } finally {
      refuse(why);
      opened.completeExceptionally(why);
      ended.complete(null);
    }
  }

  private synchronized @Nullable Long firstTopic() {
    return firstTopic;
  }

  private Map<String, Object> consumerProperties() {
    return ClientProperties.consumer(settings, name);
  }

  private Map<String, Object> adminProperties() {
    return ClientProperties.admin(settings, name);
  }

  /** Runs until it is closed or the consumer fails for good; returns why it has ended. */
  private SourceException loop(
      ConsumerLoop loop, Consumer<byte[], byte[]> consumer, SourceException closed) {
    try {
      while (!isClosing()) {
        Duration wait = loop.serve();
        if (canPoll(consumer)) {
          try {
            loop.fetch(wait);
          } finally {
            synchronized (this) {
              polled = null;
            }
          }
        } else {
          loop.fetch(Duration.ZERO);
        }
        runCalls(loop);
      }
      return closed;
    } catch (RuntimeException | Error e) {
      LOG.warn("{} has ended", settings, e);
      return new SourceException("%s has ended: %s".formatted(settings, e), e);
    }
  }

  /** Allows others to wake the consumer up if there is nothing to do yet. */
  private synchronized boolean canPoll(Consumer<byte[], byte[]> consumer) {
    if (calls.isEmpty() && !closing) {
      polled = consumer;
    }
    return polled != null;
  }

  private void runCalls(ConsumerLoop loop) {
    while (true) {
      Call<?> next;
      synchronized (this) {
        next = calls.poll();
      }
      if (next == null) {
        return;
      }
      next.run(loop, settings);
    }
  }

  /** Fails what waits, and all that comes. */
  private void refuse(SourceException why) {
    synchronized (this) {
      failure = why;
    }
    while (true) {
      Call<?> next;
      synchronized (this) {
        next = calls.poll();
      }
      if (next == null) {
        return;
      }
      next.result().completeExceptionally(why);
    }
  }

  /** Administrator that ends in time. */
  private record ClosingAdmin(Admin of) implements AutoCloseable {
    @Override
    public void close() {
      of.close(GOODBYE);
    }
  }

  /** Consumer that leaves its group in time. */
  private record Closing(Consumer<byte[], byte[]> of) implements AutoCloseable {
    @Override
    public void close() {
      of.close(CloseOptions.timeout(GOODBYE));
    }
  }
}
