package io.callboard.pollers.internal.rabbitmq;

import com.rabbitmq.client.Channel;
import io.callboard.pollers.internal.blocking.BlockingThreads;
import io.callboard.pollers.source.SourceException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The two threads of a source: one for the channel that takes, and one for the channel that
 * publishes, so that a slow confirmation holds no acknowledgement.
 */
final class RabbitThreads {
  private static final AtomicLong MADE = new AtomicLong();

  private final String name;
  private final RabbitmqSettings settings;
  private final BlockingThreads taking;
  private final BlockingThreads publishing;

  // set once, on the thread that takes
  private volatile @Nullable RabbitLink link;
  private volatile @Nullable ConfirmedPublisher publisher;

  /** Work on the channel that takes messages. */
  @FunctionalInterface
  interface Act<T> {
    T on(Channel channel) throws Exception;
  }

  /** Work of the thread that publishes. */
  @FunctionalInterface
  interface Publication {
    void by(ConfirmedPublisher publisher) throws Exception;
  }

  RabbitThreads(Vertx vertx, String name, RabbitmqSettings settings) {
    this.name = name;
    this.settings = settings;
    // neither other sources share them nor its successor
    String threads = "callboard-source-%s-%d".formatted(name, MADE.incrementAndGet());
    Function<Throwable, String> words = cause -> words("failed", cause);
    this.taking = new BlockingThreads(vertx, threads, 1, words);
    this.publishing = new BlockingThreads(vertx, threads + "-publish", 1, words);
  }

  private String words(String what, Throwable cause) {
    return "%s %s: %s".formatted(settings, what, RabbitLink.why(cause));
  }

  private SourceException failure(String what, Exception cause) {
    return cause instanceof SourceException known
        ? known
        : new SourceException(words(what, cause), cause);
  }

  Future<Void> open() {
    return taking
        .run(
            () -> {
              if (link != null) {
                throw new SourceException(settings + " is open already");
              }
              try {
                RabbitLink made = RabbitLink.open(name, settings);
                link = made;
                publisher = new ConfirmedPublisher(made);
                return true;
              } catch (Exception e) {
                throw failure("cannot be opened", e);
              }
            })
        .mapEmpty();
  }

  /**
   * Runs work on the channel that takes messages.
   *
   * @param what what it means if it fails
   */
  <T> Future<T> taking(String what, Act<T> act) {
    return taking.run(
        () -> {
          RabbitLink open = link;
          if (open == null) {
            throw new SourceException(settings + " is not open");
          }
          String lost = open.lost();
          if (lost != null) {
            throw new SourceException(settings + " is not connected any more: " + lost);
          }
          try {
            return act.on(open.channel());
          } catch (Exception e) {
            throw failure(what, e);
          }
        });
  }

  /** Returns the receipts that are lost: all of them, if the channel is. */
  Future<Set<String>> lost(Set<String> receipts, Function<Set<String>, Set<String>> ofThisChannel) {
    return taking.run(
        () -> {
          RabbitLink open = link;
          return open == null || open.lost() != null ? receipts : ofThisChannel.apply(receipts);
        });
  }

  /** Runs work on the thread that publishes. */
  Future<Void> publishing(Publication publication) {
    return publishing
        .run(
            () -> {
              ConfirmedPublisher open = publisher;
              if (open == null) {
                throw new SourceException(settings + " is not open");
              }
              try {
                publication.by(open);
                return true;
              } catch (Exception e) {
                throw failure("does not take a message", e);
              }
            })
        .mapEmpty();
  }

  /** Disconnects; the threads end with it. Idempotent. */
  Future<Void> close() {
    return taking
        .close(
            () -> {
              RabbitLink open = link;
              if (open != null) {
                open.close();
              }
              return null;
            })
        .eventually(() -> publishing.close(() -> null));
  }
}
