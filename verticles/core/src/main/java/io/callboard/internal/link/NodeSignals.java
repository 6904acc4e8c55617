package io.callboard.internal.link;

import io.callboard.cell.Signals;
import io.callboard.codecs.BoundedMap;
import io.callboard.internal.link.Frame.Origin;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageProducer;
import io.vertx.core.internal.ContextInternal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals of this node: sends and receives datagrams on the router's context, with one event bus
 * address for each node. Safe for use by many threads.
 */
public final class NodeSignals implements Signals {
  private static final Logger log = LoggerFactory.getLogger(NodeSignals.class);
  private static final int MOST_PEERS = 4_096;

  private final Vertx vertx;
  private final ContextInternal context;
  private final FrameWriter writer;
  private final Map<String, BiConsumer<String, byte[]>> listeners = new ConcurrentHashMap<>();
  private final Map<String, MessageProducer<byte[]>> addresses = BoundedMap.ofRecent(MOST_PEERS);

  NodeSignals(Vertx vertx, ContextInternal context, Origin self) {
    this.vertx = vertx;
    this.context = context;
    this.writer = new FrameWriter(self);
  }

  @Override
  public Future<Void> send(String boot, String topic, byte[] body) {
    if (body.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a signal has %d bytes: at most %d".formatted(body.length, MOST_BYTES));
    }
    Promise<Void> sent = Promise.promise();
    context.runOnContext(
        v ->
            addresses
                .computeIfAbsent(boot, to -> vertx.eventBus().sender(Peers.PREFIX + to))
                .write(writer.signal(topic, body))
                .onComplete(sent));
    return sent.future();
  }

  @Override
  public void listen(String topic, BiConsumer<String, byte[]> listener) {
    listeners.put(topic, listener);
  }

  @Override
  public void ignore(String topic) {
    listeners.remove(topic);
  }

  void arrived(Frame.Signal signal) {
    BiConsumer<String, byte[]> listener = listeners.get(signal.topic());
    if (listener != null) {
      listener.accept(signal.origin().boot(), signal.body());
    } else {
      log.debug("no listener on this node for signals of topic {}", signal.topic());
    }
  }
}
