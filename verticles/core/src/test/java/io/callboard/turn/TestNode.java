package io.callboard.turn;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.ActorStatus.State;
import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.codecs.ActorPath;
import io.callboard.store.BlobLog;
import io.callboard.store.MemoryStore;
import io.callboard.store.Store;
import io.callboard.store.StoreException;
import io.callboard.zone.ZoneDefaults;
import io.callboard.zone.Zones;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.util.function.Supplier;

/** A node whose parts a test can reach, over a store that does what the test says. */
final class TestNode implements AutoCloseable {
  private final MemoryStore memory = new MemoryStore();
  final Between<BlobLog> blobs = new Between<>(BlobLog.class, memory.blobs());
  final Between<Store> store = new Between<>(Store.class, memory);
  final Vertx vertx = Vertx.vertx();
  final CallboardRuntime runtime;
  private final NodeLife life;

  record Add(int amount) {}

  record Total(int value) {}

  /** Adds up what it is told; zero is no amount. */
  static final class Counter extends DurableStateActor<Add, Total> {
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

  TestNode() {
    this(new CallboardOptions());
  }

  TestNode(CallboardOptions options) {
    runtime =
        new CallboardRuntime(
            (VertxInternal) vertx,
            options.name("node").store(this::store),
            new Zones((VertxInternal) vertx, ZoneDefaults.zones(), "node"),
            new Between<>(Callboard.class, Callboard.class.cast(null)).front());
    life = new NodeLife(runtime);
  }

  static StoreException unavailable() {
    return StoreException.unavailable("no connection", new IOException());
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.await(20, SECONDS);
  }

  /** Waits for it. */
  static Throwable failure(Future<?> future) throws Exception {
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

  Future<Void> opening() {
    return life.open();
  }

  TestNode open() throws Exception {
    await(opening());
    return this;
  }

  <M> Ref<M> ref(String path, Class<M> protocol) {
    return new Ref<>(runtime, ActorPath.of(path), true, protocol);
  }

  <M> Future<ActorRef<M>> spawn(
      String path, Supplier<? extends Actor<M>> factory, ActorOptions options) {
    return runtime.actors().spawn(path, factory, options);
  }

  /** Of the first actor. */
  State state() {
    return runtime.actors().status().get(0).state();
  }

  /** Looks now and then. */
  Future<Void> until(State wanted) {
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
    runtime.onDurableContext(() -> life.close().onComplete(closed));
    return closed.future();
  }

  @Override
  public void close() throws Exception {
    await(shut());
    await(vertx.close());
  }
}
