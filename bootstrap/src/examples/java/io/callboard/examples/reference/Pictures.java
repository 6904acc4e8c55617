package io.callboard.examples.reference;

import io.callboard.Actor;
import io.callboard.ActorGroup;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.Protocol;
import io.callboard.routing.Routers;
import io.callboard.routing.Routing;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Work that many actors share, on one node and on all. */
public final class Pictures {
  /** Request to resize a picture. */
  public record Resize(String picture, int width) {}

  /** Answer: the picture was resized. */
  public record Resized(String picture) {}

  /** A worker. */
  public static final class Resizer extends Actor<Resize> {
    @Override
    protected void protocol(Protocol<Resize> on) {
      on.message(Resize.class, resize -> reply(new Resized(resize.picture())));
    }
  }

  private final Callboard callboard;
  private final AtomicInteger lost = new AtomicInteger();

  /** Creates the service on a node. */
  public Pictures(Callboard callboard) {
    this.callboard = callboard;
  }

  /** Starts eight actors below one router. */
  public Future<ActorRef<Resize>> pool() {
    return callboard.spawn(
        "/resize", Routers.pool(8, Resizer::new, Routing.leastLoaded()), new ActorOptions());
  }

  /** Starts workers, as on every node, and a router that finds the workers of all nodes. */
  public Future<ActorRef<Resize>> group() {
    String node = callboard.node();
    return callboard
        .spawn("/resizers/" + node, Resizer::new, new ActorOptions().group("resizers"))
        .compose(
            own ->
                callboard.spawn(
                    "/resize-anywhere/" + node,
                    Routers.group(
                        Resize.class, "resizers", Routing.consistentHash(Resize::picture))));
  }

  /** Starts a router that passes on the quickest answer of all. */
  public Future<ActorRef<Resize>> race() {
    Routing<Resize> first = Routing.firstAnswer(Resized.class, Duration.ofSeconds(2));
    return callboard.spawn("/race", Routers.group(Resize.class, "resizers", first));
  }

  /** Returns the number of workers in the cell. */
  public int count() {
    ActorGroup<Resize> resizers = callboard.group("resizers", Resize.class);
    return resizers.members().size();
  }

  /** Counts the requests that became dead letters. */
  public Runnable watchLost() {
    return callboard
        .admin()
        .onDeadLetter(
            letter -> {
              if (letter.message() instanceof Resize) {
                lost.incrementAndGet();
              }
            });
  }
}
