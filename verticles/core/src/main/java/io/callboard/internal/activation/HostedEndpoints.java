package io.callboard.internal.activation;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.callboard.Actor;
import io.callboard.cell.AddressResolver;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.eventbus.EventBusEndpoints;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.internal.VertxInternal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Event-bus endpoints of hosted actors. There may be millions of such actors, so an endpoint is
 * opened when a message is sent to its address; the least recently used is closed when there are
 * too many, and opened again when it is needed. A node that hosts an actor accepts its mail,
 * wherever the actor runs.
 */
public final class HostedEndpoints implements AddressResolver.Endpoints {
  private static final Logger log = LoggerFactory.getLogger(HostedEndpoints.class);
  private static final String PREFIX = "callboard:";
  private static final int MOST = 10_000;

  private final VertxInternal vertx;
  private final DurableActors durables;
  private final Opener opener;
  private final Handler<DeliveryContext<Object>> before = this::before;
  private final Map<ActorPath, Future<EventBusEndpoints.Endpoint<?>>> open =
      new LinkedHashMap<>(16, 0.75f, true);

  /** Port that opens and closes endpoints. */
  public interface Opener {
    Future<EventBusEndpoints.Endpoint<?>> open(ActorPath path, Actor<?> probe);

    @CanIgnoreReturnValue
    Future<Void> close(EventBusEndpoints.Endpoint<?> endpoint);

    boolean isOpen(ActorPath path);
  }

  public HostedEndpoints(VertxInternal vertx, DurableActors durables, Opener opener) {
    this.vertx = vertx;
    this.durables = durables;
    this.opener = opener;
  }

  /** Starts to open endpoints on demand. */
  public Future<Void> start() {
    if (vertx.clusterManager() instanceof AddressResolver asks) {
      return asks.add(this);
    }
    // no resolver asks: then messages of this node open them
    vertx.eventBus().addOutboundInterceptor(before);
    return Future.succeededFuture();
  }

  public void stop() {
    synchronized (this) {
      open.clear(); // the bus closes them
    }
    if (vertx.clusterManager() instanceof AddressResolver asks) {
      asks.remove(this);
    } else {
      vertx.eventBus().removeOutboundInterceptor(before);
    }
  }

  private void before(DeliveryContext<Object> message) {
    if (message.message().address().startsWith(PREFIX)) {
      open(message.message().address()).onComplete(done -> message.next());
    } else {
      message.next();
    }
  }

  @Override
  public Future<Boolean> open(String address) {
    ActorPath path;
    try {
      path = ActorPath.of(address.substring(PREFIX.length()));
    } catch (IllegalArgumentException e) {
      log.debug("{} is not the address of an actor", address, Causes.readable(e));
      return Future.succeededFuture(false);
    }
    return open(path)
        .map(endpoint -> true)
        .otherwise(
            cause -> {
              log.debug("{} cannot be reached through this node", path, Causes.readable(cause));
              return false;
            });
  }

  private synchronized Future<EventBusEndpoints.Endpoint<?>> open(ActorPath path) {
    Future<EventBusEndpoints.Endpoint<?>> known = open.get(path);
    if (known != null && (!known.isComplete() || opener.isOpen(path))) {
      return known;
    }
    open.remove(path); // it was stopped, and mail starts it again
    if (opener.isOpen(path)) {
      return Future.succeededFuture();
    }
    Actor<?> probe;
    try {
      probe = durables.hosted().probe(path);
    } catch (RuntimeException | Error e) { // of its factory
      return Future.failedFuture(e);
    }
    if (probe == null) {
      return Future.failedFuture("no actor of that path is hosted here");
    }
    Future<EventBusEndpoints.Endpoint<?>> opening = opener.open(path, probe);
    open.put(path, opening);
    opening.onFailure(cause -> forget(path, opening));
    closeEldest();
    return opening;
  }

  private synchronized void forget(ActorPath path, Future<EventBusEndpoints.Endpoint<?>> opening) {
    open.remove(path, opening);
  }

  private void closeEldest() {
    if (open.size() > MOST) {
      var eldest = open.entrySet().iterator();
      Future<EventBusEndpoints.Endpoint<?>> endpoint = eldest.next().getValue();
      eldest.remove();
      endpoint.onSuccess(opener::close);
    }
  }
}
