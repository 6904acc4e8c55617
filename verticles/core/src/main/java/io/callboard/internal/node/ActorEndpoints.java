package io.callboard.internal.node;

import io.callboard.Actor;
import io.callboard.CallboardException;
import io.callboard.Priority;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.activation.DurableActors;
import io.callboard.internal.activation.HostedEndpoints;
import io.callboard.internal.eventbus.EventBusEndpoints;
import io.callboard.internal.mailbox.Delivery;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.LocalActor;
import io.callboard.internal.messaging.MessageSender;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.internal.VertxInternal;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Endpoints on the event bus of this node's actors: of spawned ones for as long as they run, of
 * hosted ones on demand. What arrives is delivered to the actor.
 */
final class ActorEndpoints {
  private static final Logger log = LoggerFactory.getLogger(ActorEndpoints.class);

  private final EventBusEndpoints bus;
  private final MessageSender sender;
  private final HostedEndpoints hosted;

  ActorEndpoints(
      VertxInternal vertx, EventBusEndpoints bus, MessageSender sender, DurableActors durables) {
    this.bus = bus;
    this.sender = sender;
    this.hosted = new HostedEndpoints(vertx, durables, new OnDemand());
  }

  /** Opens the endpoints of hosted actors on demand from now on. */
  Future<Void> start() {
    return hosted.start();
  }

  /** Opens no more endpoints on demand; those that are open are closed with the bus. */
  void stop() {
    hosted.stop();
  }

  /**
   * Opens a spawned actor's endpoint; that of a durable one only takes its own protocol.
   *
   * @param isHere whether the actor still runs once the endpoint is open; if not, it is closed
   */
  Future<Void> open(ActorRefImpl<?> ref, Actor<?> probe, BooleanSupplier isHere) {
    return opened(ref, probe)
        .compose(
            endpoint -> isHere.getAsBoolean() ? Future.succeededFuture() : bus.close(endpoint));
  }

  @SuppressWarnings("unchecked")
  private Future<EventBusEndpoints.Endpoint<Object>> opened(ActorRefImpl<?> ref, Actor<?> probe) {
    return bus.open(
        (ActorRefImpl<Object>) ref,
        probe.codec(),
        (delivery, priority) -> deliver(ref, delivery, priority));
  }

  /** Closes the endpoint of an actor that ends, if it has one; a failure is logged. */
  Future<Void> close(ActorPath actor) {
    return bus.close(actor)
        .otherwise(
            cause -> {
              log.warn(
                  "{} could not be removed from the event bus",
                  actor.busAddress(),
                  Causes.readable(cause));
              return null;
            });
  }

  private Future<Void> deliver(ActorRefImpl<?> ref, Delivery delivery, Priority priority) {
    if (ref.durable()) {
      return sender.pass("event bus", ref, delivery.message(), delivery.reply(), delivery.trace());
    }
    LocalActor local = ref.here();
    return local == null
        ? Future.failedFuture(CallboardException.noSuchActor(ref.path()))
        : local.offer(delivery, priority);
  }

  private final class OnDemand implements HostedEndpoints.Opener {
    @Override
    public Future<EventBusEndpoints.Endpoint<?>> open(ActorPath path, Actor<?> probe) {
      return opened(new ActorRefImpl<>(sender, path, true, Object.class), probe)
          .map(endpoint -> endpoint);
    }

    @Override
    public Future<Void> close(EventBusEndpoints.Endpoint<?> endpoint) {
      return bus.close(endpoint);
    }

    @Override
    public boolean isOpen(ActorPath path) {
      return bus.find(path) != null;
    }
  }
}
