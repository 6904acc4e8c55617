package io.callboard.internal.membership;

import io.callboard.Broadcast;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Json;
import io.callboard.codecs.MessageType;
import io.callboard.codecs.ProtocolCodec;
import io.callboard.internal.link.Broadcasts;
import io.callboard.supervision.Causes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Broadcasts of the cell, by name: encodes and decodes their messages, and calls the subscribers.
 */
public final class CellBroadcasts {
  /** Limit of the messages waiting for one subscriber. */
  static final int MOST_WAITING = 10_000;

  private static final Logger log = LoggerFactory.getLogger(CellBroadcasts.class);

  private final Broadcasts network;
  private final Vertx vertx;
  private final Map<String, Channel<?>> channels = new ConcurrentHashMap<>();

  public CellBroadcasts(Broadcasts network, Vertx vertx) {
    this.network = network;
    this.vertx = vertx;
    network.listen(this::arrived);
  }

  @SuppressWarnings("unchecked")
  public <T> Broadcast<T> channel(String name, Class<T> protocol) {
    Objects.requireNonNull(protocol, "protocol is null: give the class of the messages");
    Channel<?> channel =
        channels.computeIfAbsent(
            Broadcast.named(name), named -> new Channel<>(named, ProtocolCodec.of(protocol)));
    if (channel.codec.protocol() != protocol) {
      throw new IllegalArgumentException(
          "broadcast \"%s\" carries %s on this node, not %s: use another name"
              .formatted(name, channel.codec.protocol().getName(), protocol.getName()));
    }
    return (Broadcast<T>) channel;
  }

  private void arrived(Broadcasts.News message) {
    Channel<?> channel = channels.get(message.name());
    if (channel != null) {
      channel.arrived(message);
    }
  }

  private final class Channel<T> implements Broadcast<T> {
    private final String name;
    private final ProtocolCodec<T> codec;
    private final List<Subscriber<T>> subscribers = new CopyOnWriteArrayList<>();
    private boolean complained; // on the router's context

    Channel(String name, ProtocolCodec<T> codec) {
      this.name = name;
      this.codec = codec;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Future<Void> publish(T news) {
      return publish(null, news);
    }

    @Override
    public Future<Void> publish(@Nullable String key, T news) {
      byte[] body;
      try {
        body = encoded(news);
      } catch (CallboardException e) {
        return Future.failedFuture(e);
      }
      subscribers.forEach(subscriber -> subscriber.offer(news));
      network.send(new Broadcasts.News(name, key, MessageType.of(news.getClass()), body));
      return Future.succeededFuture();
    }

    private byte[] encoded(@Nullable T news) {
      if (news == null || !codec.knows(news)) {
        throw new CallboardException(
            Code.BAD_MESSAGE,
            "%s is not a message of broadcast \"%s\": publish one of %s"
                .formatted(news == null ? "null" : news.getClass().getName(), name, codec.names()));
      }
      byte[] body;
      try {
        body = Json.bytes(news);
      } catch (CodecException e) {
        throw new CallboardException(Code.BAD_MESSAGE, Causes.message(e), e);
      }
      if (body.length > Broadcasts.MOST_BYTES) {
        throw CallboardException.tooLarge(
            "a message of broadcast \"%s\"".formatted(name), body.length, Broadcasts.MOST_BYTES);
      }
      return body;
    }

    void arrived(Broadcasts.News message) {
      if (subscribers.isEmpty()) {
        return;
      }
      T news;
      try {
        news = codec.decode(message.type(), message.body(), 0, message.body().length);
      } catch (CodecException e) {
        if (!complained) {
          complained = true;
          log.warn(
              "a message of broadcast \"{}\" cannot be read; further ones are not logged",
              name,
              Causes.readable(e));
        }
        return;
      }
      subscribers.forEach(subscriber -> subscriber.offer(news));
    }

    @Override
    public Runnable subscribe(Consumer<? super T> subscriber) {
      Objects.requireNonNull(subscriber, "subscriber is null: give a consumer of the messages");
      Subscriber<T> own = new Subscriber<>(name, vertx.getOrCreateContext(), subscriber);
      subscribers.add(own);
      return () -> {
        subscribers.remove(own);
        own.over = true;
      };
    }
  }

  /** Subscriber, called on its own context. */
  private static final class Subscriber<T> {
    private final String name;
    private final Context context;
    private final Consumer<? super T> consumer;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean slow;
    private volatile boolean over;

    Subscriber(String name, Context context, Consumer<? super T> consumer) {
      this.name = name;
      this.context = context;
      this.consumer = consumer;
    }

    /** Offers a message. Any thread. */
    void offer(T news) {
      if (waiting.incrementAndGet() > MOST_WAITING) {
        waiting.decrementAndGet();
        if (!slow) {
          slow = true;
          log.warn(
              "{} messages of broadcast \"{}\" wait for a slow subscriber: further "
                  + "ones are dropped until it has caught up",
              MOST_WAITING,
              name);
        }
        return;
      }
      try {
        context.runOnContext(v -> take(news));
      } catch (RejectedExecutionException e) {
        over = true;
        log.debug(
            "the zone of a subscriber of broadcast \"{}\" has closed", name, Causes.readable(e));
      }
    }

    private void take(T news) {
      if (waiting.decrementAndGet() == 0) {
        slow = false;
      }
      if (over) {
        return;
      }
      try {
        consumer.accept(news);
      } catch (RuntimeException | Error e) {
        log.error("a subscriber of broadcast \"{}\" failed", name, Causes.readable(e));
      }
    }
  }
}
