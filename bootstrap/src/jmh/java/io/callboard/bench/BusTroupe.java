package io.callboard.bench;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;

/** A verticle with a consumer of the event bus for each actor; objects pass as they are. */
final class BusTroupe implements Troupe {
  private final Vertx vertx;
  private final DeliveryOptions options;
  private int started;

  BusTroupe(Vertx vertx) {
    this.vertx = vertx;
    this.options = AsItIs.on(vertx.eventBus());
  }

  @Override
  public Target start(Handler handler) throws Exception {
    String address = "bench.player-" + started++;
    var unused = Node.await(vertx.deployVerticle(new Player(address, handler)));
    EventBus bus = vertx.eventBus();
    return signal -> bus.send(address, signal, options);
  }

  private static final class Player extends VerticleBase {
    private final String address;
    private final Handler handler;

    Player(String address, Handler handler) {
      this.address = address;
      this.handler = handler;
    }

    @Override
    public Future<?> start() {
      return vertx
          .eventBus()
          .<Signal>localConsumer(address, message -> handler.handle(message.body(), Target::tell))
          .completion();
    }
  }

  /** The Vert.x is its owner's. */
  @Override
  public void close() {}
}
