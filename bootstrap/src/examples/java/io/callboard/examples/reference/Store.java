package io.callboard.examples.reference;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Actor that stashes requests until it is connected. */
public final class Store extends Actor<Store.Request> {
  /** Request to the store. */
  public sealed interface Request {
    /** A value. */
    record Read(String key) implements Request {}

    /** The connection is there. */
    record Connected(int version) implements Request {}
  }

  /** A value. */
  public record Value(String text) {}

  private static final AtomicInteger CONNECTIONS = new AtomicInteger();

  @Override
  protected void protocol(Protocol<Request> on) {
    on.message(
            Request.Connected.class,
            connected -> {
              become(this::connected);
              unstashAll();
            })
        .message(Request.Read.class, read -> stash());
  }

  private void connected(Protocol<Request> on) {
    on.message(Request.Read.class, read -> reply(new Value("value of " + read.key())))
        .others(other -> {});
  }

  @Override
  protected Future<?> started() {
    pipeToSelf(connect(), done -> new Request.Connected(done.result()));
    return Future.succeededFuture();
  }

  private static Future<Integer> connect() {
    return Future.succeededFuture(CONNECTIONS.incrementAndGet());
  }

  /** Passes on requests that it does not know; the answer goes to the original asker. */
  public static final class Front extends Actor<Store.Request.Read> {
    @Override
    protected void protocol(Protocol<Store.Request.Read> on) {
      ActorRef<Store.Request> store = callboard().ref("/store", Store.Request.class);
      on.message(Store.Request.Read.class, read -> forward(store, read));
    }
  }
}
