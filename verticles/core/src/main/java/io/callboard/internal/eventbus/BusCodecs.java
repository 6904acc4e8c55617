package io.callboard.internal.eventbus;

import io.callboard.supervision.Causes;
import io.vertx.core.eventbus.EventBus;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Event-bus codecs of the actors of this node, so that senders need not register any. Thread-safe.
 */
final class BusCodecs {
  private static final Logger log = LoggerFactory.getLogger(BusCodecs.class);

  private final EventBus bus;
  private final Set<Class<?>> registered = new HashSet<>();
  private boolean answers;

  BusCodecs(EventBus bus) {
    this.bus = bus;
  }

  /**
   * Registers the codecs of a protocol; a class for which the application has registered its own
   * keeps that.
   */
  synchronized void register(Set<? extends Class<?>> types) {
    if (!answers) {
      answers = true;
      bus.registerCodec(new BusCodec<>(BusCodec.ANSWER));
    }
    types.forEach(this::register);
  }

  private <M> void register(Class<M> type) {
    if (registered.contains(type)) {
      return;
    }
    try {
      bus.registerDefaultCodec(type, BusCodec.of(type));
    } catch (IllegalStateException e) {
      log.info(
          "the application has registered its own event bus codec for {}, which is used: {}",
          type,
          Causes.message(e));
      return;
    }
    registered.add(type);
  }

  /** Unregisters the codecs. */
  synchronized void close() {
    registered.forEach(bus::unregisterDefaultCodec);
    registered.clear();
    if (answers) {
      answers = false;
      bus.unregisterCodec(BusCodec.ANSWER);
    }
  }
}
