package io.callboard.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/** A place for plain code to run on: a verticle that does nothing, on the next event loop. */
final class Stand extends VerticleBase {
  private static final int TRIES = 100;

  private volatile @Nullable Thread loop;

  private Stand() {}

  @Override
  public Future<?> start() throws Exception {
    loop = Thread.currentThread();
    return super.start();
  }

  Context context() {
    return context;
  }

  Thread loop() {
    Thread known = loop;
    if (known == null) {
      throw new IllegalStateException("this stand has not been started");
    }
    return known;
  }

  /** Deploys a stand on the next event loop. */
  static Stand next(Vertx vertx) throws Exception {
    Stand stand = new Stand();
    var unused = Node.await(vertx.deployVerticle(stand));
    return stand;
  }

  /**
   * @param same whether on the event loop that is that thread, or on another
   * @throws IllegalStateException if there is none
   */
  static Stand of(Vertx vertx, Thread loop, boolean same) throws Exception {
    for (int i = 0; i < TRIES; i++) {
      Stand stand = next(vertx);
      if (stand.loop().equals(loop) == same) {
        return stand;
      }
    }
    throw new IllegalStateException(
        "%s %s".formatted(loop.getName(), same ? "is no event loop" : "is the only event loop"));
  }
}
