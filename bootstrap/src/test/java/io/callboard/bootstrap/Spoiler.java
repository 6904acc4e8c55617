package io.callboard.bootstrap;

import static io.callboard.testkit.Futures.await;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.zookeeper.ZooKeeperStore;
import io.callboard.zookeeper.access.ZooKeeperOptions;
import io.vertx.core.Vertx;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A node beside another, in this process, whose actor parks what is bad until it is mended. */
final class Spoiler implements AutoCloseable {
  static final String PATH = "/shop/shelf";

  final Queue<String> kept = new ConcurrentLinkedQueue<>();
  private final Vertx vertx = Vertx.vertx();
  private final Callboard callboard;
  private volatile boolean mended;

  record Put(String what) {}

  record Kept(String what) {}

  private final class Shelf extends DurableStateActor<Put, Kept> {
    @Override
    protected Kept initial() {
      return new Kept("nothing");
    }

    @Override
    protected void protocol(Protocol<Put> on) {
      on.message(
          Put.class,
          put -> {
            if (!mended) {
              throw new IllegalArgumentException("there is no room for " + put.what());
            }
            update(new Kept(put.what()));
            afterCommit(() -> kept.add(put.what()));
          });
    }
  }

  Spoiler(String zookeeper) throws Exception {
    this(zookeeper, "apples", "pears", "plums");
  }

  Spoiler(String zookeeper, String... things) throws Exception {
    ZooKeeperOptions options = ZooKeeperOptions.of(zookeeper);
    callboard =
        await(
            Callboard.create(
                vertx,
                new CallboardOptions().name("spoiler").store(() -> new ZooKeeperStore(options))));
    var shelf = await(callboard.spawn(PATH, Shelf::new, new ActorOptions().attempts(1)));
    for (String what : things) {
      await(shelf.tell(new Put(what)));
    }
  }

  void mend() {
    mended = true;
  }

  @Override
  public void close() throws Exception {
    await(callboard.close());
    await(vertx.close());
  }
}
