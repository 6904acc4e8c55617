package io.callboard.internal.link;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.LinkCounts;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.impl.MessageConsumerImpl;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Router between this node and the others: owns the node's address on the event bus, and sends
 * everything from its own context, which is never undeployed. Methods may be called from any thread
 * unless they say otherwise.
 */
public final class NodeRouter {
  private static final Logger log = LoggerFactory.getLogger(NodeRouter.class);

  private static final int SLICE = 4_096;
  private static final int PLACES = 100_000;
  private static final int PUSHES = 1_024;
  private static final long TICK_MS = 100;

  private final VertxInternal vertx;
  private final ContextInternal context;
  private final String address;
  private final SendQueue sendQueue = new SendQueue();
  private final LinkMeter linkMeter = new LinkMeter();
  private final Directory directory;
  private final Locator locator;
  private final Settlements settlements;
  private final Peers peers;
  private final NodeSignals signals;
  private final Broadcasts broadcasts;
  private Set<String> members = Set.of();
  private @Nullable MessageConsumer<Object> consumer;
  private long timer;
  private final AtomicInteger pushes = new AtomicInteger();
  private boolean flushing;
  private volatile boolean closed;

  /**
   * @param boot unique for this start of this node; makes its address
   * @param name for people
   */
  public NodeRouter(VertxInternal vertx, String boot, String name, LinkLimits limits) {
    this.vertx = vertx;
    this.context = vertx.createEventLoopContext();
    this.address = Peers.PREFIX + boot;
    this.directory = new Directory(PLACES, limits.queueMessages(), limits.queueBytes());
    this.locator = new Locator(vertx, boot, name, limits.connect());
    this.settlements = new Settlements(vertx.createEventLoopContext(), linkMeter);
    this.peers =
        new Peers(vertx, new Frame.Origin(boot, name), limits, linkMeter, directory, settlements);
    Frame.Origin self = new Frame.Origin(boot, name);
    this.signals = new NodeSignals(vertx, context, self);
    this.broadcasts = new Broadcasts(vertx, context, self, linkMeter);
  }

  /**
   * Starts to listen; completes when other nodes can find this one.
   *
   * @param localEndpoint takes incoming messages
   */
  public Future<Void> start(LocalEndpoint localEndpoint) {
    Receiver receiver = new Receiver(localEndpoint, peers, linkMeter, signals, broadcasts);
    Promise<Void> started = Promise.promise();
    context.runOnContext(
        v -> {
          consumer =
              vertx
                  .eventBus()
                  .consumer(
                      address,
                      message -> {
                        receiver.arrived(message.body());
                        flushSoon();
                      });
          timer = vertx.setPeriodic(TICK_MS, id -> tick());
          consumer.completion().onComplete(started);
        });
    return started.future();
  }

  /** Returns the context from which everything is sent. */
  public ContextInternal context() {
    return context;
  }

  /** Datagrams from and to other nodes. */
  public NodeSignals signals() {
    return signals;
  }

  /** Broadcasts from and to other nodes. */
  public Broadcasts broadcasts() {
    return broadcasts;
  }

  /** Returns the locator of actors, which answers for those of this node. */
  public Locator locator() {
    return locator;
  }

  public LinkCounts counts() {
    return linkMeter.snapshot();
  }

  /** Sends a message; the outcome is reported to it. */
  public void send(OutgoingMessage outgoingMessage) {
    if (closed) {
      outgoingMessage.refused(CallboardException.stopped("this node"));
    } else if (!sendQueue.offer(outgoingMessage)) {
      linkMeter.overflowed.increment();
      outgoingMessage.refused(
          new CallboardException(
              Code.UNAVAILABLE, "too many messages of this node wait for its router"));
    } else if (sendQueue.wake()) {
      context.runOnContext(v -> drain());
    }
  }

  /**
   * Sends a push if it can leave at once, after all other messages for its node; else it is
   * dropped, and counted.
   */
  public void push(Push push) {
    if (closed || !vertx.isClustered()) {
      return;
    }
    if (pushes.incrementAndGet() > PUSHES) {
      pushes.decrementAndGet();
      linkMeter.pushesDropped.increment();
      return;
    }
    context.runOnContext(
        v -> {
          pushes.decrementAndGet();
          if (closed) {
            linkMeter.pushesDropped.increment();
          } else {
            peers.offerPush(push.boot(), push);
            flushSoon();
          }
        });
  }

  private void drain() {
    try {
      drainSlice();
      flush();
    } finally {
      if (sendQueue.restOrGoOn()) {
        context.runOnContext(v -> drain());
      }
    }
  }

  private void drainSlice() {
    long bytes = 0;
    try {
      for (int left = SLICE; left > 0; left--) {
        OutgoingMessage next = sendQueue.poll();
        if (next == null) {
          break;
        }
        bytes += next.bytes();
        dispatchOrRefuse(next);
      }
    } finally {
      sendQueue.taken(bytes);
    }
  }

  /**
   * Dispatches a message; one that cannot be dispatched is refused, and does not hold up the
   * others.
   */
  private void dispatchOrRefuse(OutgoingMessage outgoingMessage) {
    try {
      dispatch(outgoingMessage);
    } catch (RuntimeException | Error e) {
      log.error(
          "a message to {} could not be dispatched",
          outgoingMessage.type().name(),
          Causes.readable(e));
      settlements.refused(
          outgoingMessage,
          new CallboardException(
              Code.UNAVAILABLE,
              "the message could not be sent to another node: " + Causes.text(e),
              e));
    }
  }

  private void dispatch(OutgoingMessage outgoingMessage) {
    if (closed) {
      settlements.refused(outgoingMessage, CallboardException.stopped("this node"));
      return;
    }
    String boot =
        outgoingMessage.kind().isForActor()
            ? directory.find(outgoingMessage.to())
            : outgoingMessage.boot();
    if (boot != null) {
      peers.offer(boot, outgoingMessage);
      return;
    }
    switch (directory.hold(outgoingMessage)) {
      case LOCATE -> locate(outgoingMessage.to());
      case WAIT -> {}
      case REFUSE -> {
        linkMeter.overflowed.increment();
        settlements.refused(
            outgoingMessage,
            new CallboardException(
                Code.UNAVAILABLE,
                "too many messages wait until the node of %s is known"
                    .formatted(outgoingMessage.to())));
      }
    }
  }

  private void locate(ActorPath actor) {
    locator
        .locate(actor)
        .onSuccess(place -> located(actor, place))
        .onFailure(cause -> notLocated(actor, Locator.translate(actor, cause)));
  }

  private void located(ActorPath actor, Locator.Place place) {
    if (place.durable()) {
      directory.release(actor).forEach(settlements::durable);
      return;
    }
    directory.found(actor, place.boot());
    peers.named(place.boot(), place.name());
    directory.release(actor).forEach(outgoingMessage -> peers.offer(place.boot(), outgoingMessage));
    flush();
  }

  private void notLocated(ActorPath actor, CallboardException cause) {
    directory
        .release(actor)
        .forEach(outgoingMessage -> settlements.refused(outgoingMessage, cause));
    flush();
  }

  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      context.runOnContext(v -> flush());
    }
  }

  private void flush() {
    flushing = false;
    peers.flush();
    settlements.flush();
  }

  private void tick() {
    peers.tick();
    flush();
  }

  /** Sets the live nodes, by boot id: one that was among them and no longer is, is gone. */
  public void members(Set<String> boots) {
    context.runOnContext(
        v -> {
          Set<String> left = new HashSet<>(members);
          left.removeAll(boots);
          members = Set.copyOf(boots);
          left.forEach(boot -> peers.gone(boot, "has left the cell"));
          broadcasts.members(members);
          flush();
        });
  }

  /**
   * Takes leave of every peer; waiting messages are refused with code {@code STOPPED}. Idempotent.
   */
  public Future<Void> close() {
    Promise<Void> done = Promise.promise();
    closed = true;
    context.runOnContext(
        v -> {
          MessageConsumer<Object> open = consumer;
          consumer = null;
          if (open == null) {
            done.complete();
            return;
          }
          vertx.cancelTimer(timer);
          broadcasts.close();
          CallboardException stopped = CallboardException.stopped("this node");
          for (ActorPath actor : directory.awaited()) {
            notLocated(actor, stopped);
          }
          drain();
          Future.join(List.of(peers.close(), unregistered(open))).<Void>mapEmpty().onComplete(done);
          settlements.flush();
        });
    return done.future();
  }

  /**
   * Frames that wait for this context are not read any more, heartbeats for example, and Vert.x
   * would warn of each: their senders learn from the goodbye, or from the membership, that this
   * node has stopped.
   */
  private static Future<Void> unregistered(MessageConsumer<Object> consumer) {
    if (consumer instanceof MessageConsumerImpl<Object> ours) {
      ours.discardHandler(frame -> log.debug("a frame came after the close of this node's router"));
    }
    return consumer.unregister();
  }
}
