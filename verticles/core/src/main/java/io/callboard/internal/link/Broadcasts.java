package io.callboard.internal.link;

import io.callboard.codecs.MessageType;
import io.callboard.internal.link.Frame.Origin;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageProducer;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends broadcast messages to all other nodes, beside the links: those within {@value #WINDOW_MS}
 * ms go to each node in as few frames as hold them, the next frame once the one before was handed
 * to the network. At most once: a node that is away or slow misses some.
 */
public final class Broadcasts {
  /** Limit of the bytes of one message. */
  public static final int MOST_BYTES = 256 << 10;

  private static final Logger log = LoggerFactory.getLogger(Broadcasts.class);
  private static final long WINDOW_MS = 10;
  private static final long COMPLAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Vertx vertx;
  private final ContextInternal context;
  private final String boot;
  private final LinkMeter linkMeter;
  private final FrameWriter writer;
  private final BroadcastQueue collected = new BroadcastQueue(); // guarded by itself
  private final Map<String, Outlet> outlets = new HashMap<>();
  private volatile Consumer<News> receiver = message -> {};
  private volatile boolean closed;
  private boolean collecting; // guarded by collected
  private long droppedUnreported;
  private long complainedNanos = System.nanoTime() - COMPLAIN_NANOS;

  /**
   * Broadcast message on its way to all nodes.
   *
   * @param name of the broadcast that it belongs to
   * @param key of which only the last message is sent; null if every one is
   * @param body UTF-8 JSON, up to {@link #MOST_BYTES}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record News(String name, @Nullable String key, MessageType type, byte[] body) {
    private static final int OVERHEAD = 32;

    /** Returns its size in a frame in bytes, approximately. */
    int size() {
      return OVERHEAD + name.length() + type.name().length() + body.length;
    }
  }

  Broadcasts(Vertx vertx, ContextInternal context, Origin self, LinkMeter linkMeter) {
    this.vertx = vertx;
    this.context = context;
    this.boot = self.boot();
    this.linkMeter = linkMeter;
    this.writer = new FrameWriter(self);
  }

  /** Outlet to one node. */
  private final class Outlet {
    private final MessageProducer<byte[]> address;
    private final BroadcastQueue queue = new BroadcastQueue();
    private boolean writing;
    private boolean over;

    Outlet(String to) {
      address = vertx.eventBus().sender(Peers.PREFIX + to);
    }

    void pump() {
      if (writing || over || queue.isEmpty()) {
        return;
      }
      List<News> next = queue.take();
      writing = true;
      address
          .write(writer.broadcast(next))
          .onComplete(done -> context.runOnContext(v -> written(next.size(), done.succeeded())));
    }

    private void written(int news, boolean sent) {
      writing = false;
      if (sent) {
        linkMeter.broadcastsOut.add(news);
      } else {
        linkMeter.broadcastsDropped.add(news); // a node that is gone; if not, it reads again
      }
      pump();
    }

    void close() {
      over = true;
      var unused = address.close();
    }
  }

  /** Sends a message to all other nodes. Any thread. */
  public void send(News message) {
    if (closed || !vertx.isClustered()) {
      return;
    }
    int dropped;
    boolean first;
    synchronized (collected) {
      dropped = collected.add(message);
      first = !collecting;
      collecting = true;
    }
    if (first || dropped > 0) {
      context.runOnContext(v -> collect(first, dropped));
    }
  }

  private void collect(boolean first, int dropped) {
    dropped(dropped);
    if (first) {
      long unused = vertx.setTimer(WINDOW_MS, id -> flush());
    }
  }

  private void flush() {
    List<News> all = new ArrayList<>();
    synchronized (collected) {
      collecting = false;
      while (!collected.isEmpty()) {
        all.addAll(collected.take());
      }
    }
    for (Outlet outlet : outlets.values()) {
      all.forEach(message -> dropped(outlet.queue.add(message)));
      outlet.pump();
    }
  }

  private void dropped(int news) {
    if (news == 0) {
      return;
    }
    linkMeter.broadcastsDropped.add(news);
    droppedUnreported += news;
    long now = System.nanoTime();
    if (now - complainedNanos >= COMPLAIN_NANOS) {
      log.warn(
          "{} broadcast messages were dropped, because more were published than "
              + "the links could send: subscribers on other nodes must read the source "
              + "again",
          droppedUnreported);
      complainedNanos = now;
      droppedUnreported = 0;
    }
  }

  /** Sets the live nodes of the cell. On the context. */
  void members(Set<String> boots) {
    outlets.entrySet().removeIf(each -> gone(each, boots));
    for (String each : boots) {
      if (!each.equals(boot) && !closed) {
        var unused = outlets.computeIfAbsent(each, Outlet::new);
      }
    }
  }

  private static boolean gone(Map.Entry<String, Outlet> outlet, Set<String> boots) {
    boolean gone = !boots.contains(outlet.getKey());
    if (gone) {
      outlet.getValue().close();
    }
    return gone;
  }

  /** Sets the listener for messages of other nodes, called on the router's context. */
  public void listen(Consumer<News> given) {
    receiver = given;
  }

  void arrived(Frame.Broadcast frame) {
    linkMeter.broadcastsIn.add(frame.messages().size());
    frame.messages().forEach(receiver);
  }

  /** Closes all outlets. On the context. */
  void close() {
    closed = true;
    members(Set.of());
  }
}
