package io.callboard.internal.node;

import static io.callboard.internal.Waits.await;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.membership.Groups;
import io.callboard.internal.messaging.ActorRefImpl;
import io.callboard.internal.messaging.DeathWatch;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.internal.turn.Between;
import io.callboard.internal.zone.Zones;
import io.callboard.store.BlobStore;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.store.StoreListener;
import io.callboard.store.memory.MemoryStore;
import io.callboard.supervision.Failure;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** A node whose parts a test can reach, over a store that does what the test says. */
public final class TestNode implements AutoCloseable {
  private final MemoryStore memory = new MemoryStore();
  public final Between<BlobStore> blobs = new Between<>(BlobStore.class, memory.blobs());
  public final Between<Store> store = new Between<>(Store.class, memory);
  final Vertx vertx = Vertx.vertx();
  final NodeAssembly parts;
  private final NodeLifecycle life;

  public record Add(int amount) {}

  public record Total(int value) {}

  /** Adds up what it is told; zero is no amount. */
  public static final class Counter extends DurableStateActor<Add, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            if (add.amount() == 0) {
              throw unavailable();
            }
            update(new Total(state().value() + add.amount()));
            reply(state());
          });
    }
  }

  public TestNode() {
    this(new CallboardOptions());
  }

  public TestNode(CallboardOptions options) {
    parts =
        new NodeAssembly(
            (VertxInternal) vertx,
            options.name("node").store(this::store),
            new Zones((VertxInternal) vertx, ZoneDefaults.zones(), "node"),
            new Between<>(Callboard.class, Callboard.class.cast(null)).front());
    life = parts.lifecycle();
  }

  public static StoreException unavailable() {
    return StoreException.unavailable("no connection", new IOException());
  }

  /** Waits for it. */
  public static Throwable failure(Future<?> future) throws Exception {
    Future<Throwable> cause =
        future.transform(
            done ->
                done.failed()
                    ? Future.succeededFuture(done.cause())
                    : Future.failedFuture("it succeeded: " + done.result()));
    return await(cause);
  }

  private Store store() {
    store.answer("blobs", call -> blobs.front());
    return store.front();
  }

  /** Returns the listener that takes the reports of the store. */
  public StoreListener storeEvents() {
    return parts.storeEvents();
  }

  Future<Void> opening() {
    return life.open();
  }

  public TestNode open() throws Exception {
    await(opening());
    return this;
  }

  public <M> ActorRefImpl<M> ref(String path, Class<M> protocol) {
    return new ActorRefImpl<>(parts.messageSender(), ActorPath.of(path), true, protocol);
  }

  public <M> Future<ActorRef<M>> spawn(
      String path, Supplier<? extends Actor<M>> factory, ActorOptions options) {
    return parts.actors().spawn(path, factory, options);
  }

  public Future<Void> stop(ActorPath path) {
    return parts.actors().stop(path);
  }

  public Future<List<Failure>> failures(ActorPath path) {
    return parts.actors().failures(path);
  }

  public NodeContext context() {
    return parts.context();
  }

  public PartitionOwnership ownership() {
    return parts.ownership();
  }

  public Groups groups() {
    return parts.groups();
  }

  public DeathWatch deathWatch() {
    return parts.deathWatch();
  }

  /** Returns the status of the first actor. */
  public ActorStatus status() {
    return parts.actors().status().get(0);
  }

  /** Returns the state of the first actor. */
  public State state() {
    return status().state();
  }

  /** Looks now and then. */
  public Future<Void> until(State wanted) {
    Promise<Void> reached = Promise.promise();
    vertx.setPeriodic(
        5,
        id -> {
          if (state() == wanted) {
            vertx.cancelTimer(id);
            reached.complete();
          }
        });
    return reached.future();
  }

  Future<Void> shut() {
    Promise<Void> closed = Promise.promise();
    parts.context().onDurableContext(() -> life.close().onComplete(closed));
    return closed.future();
  }

  @Override
  public void close() throws Exception {
    await(shut());
    await(vertx.close());
  }
}
