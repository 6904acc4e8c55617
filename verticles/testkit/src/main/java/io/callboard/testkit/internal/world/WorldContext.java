package io.callboard.testkit.internal.world;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableContext;
import io.callboard.HeldMessage;
import io.callboard.StashView;
import io.callboard.Terminated;
import io.callboard.VolatileContext;
import io.callboard.journal.Recovery;
import io.callboard.store.MailPlace;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Context of both kinds of actors of a world; what none of them uses is missing. */
abstract class WorldContext implements VolatileContext, DurableContext {
  private final WorldNode node;
  private final String path;
  private final List<String> children = new ArrayList<>();
  private final Map<String, Function<Terminated, ?>> watched = new HashMap<>();

  WorldContext(WorldNode node, String path) {
    this.node = node;
    this.path = path;
  }

  static UnsupportedOperationException missing() {
    return new UnsupportedOperationException("the world has no such part: add it to its contexts");
  }

  WorldNode node() {
    return node;
  }

  @Override
  public Callboard callboard() {
    return node;
  }

  @Override
  public Time time() {
    return node.time();
  }

  @Override
  public RandomGenerator random() {
    return node.random();
  }

  @Override
  public Optional<ActorRef<?>> replyTo() {
    return Optional.empty();
  }

  @Override
  public void refuse(Object message, CallboardException cause) {
    throw missing();
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message) {
    throw missing();
  }

  @Override
  public void forward(ActorRef<?> receiver, Object message, Runnable over) {
    throw missing();
  }

  @Override
  public void forwardAll(Collection<? extends ActorRef<?>> receivers, Object message) {
    throw missing();
  }

  @Override
  public void replyWhen(Future<?> answer) {
    throw missing();
  }

  @Override
  public <M> HeldMessage<M> hold(M message) {
    throw missing();
  }

  @Override
  public void stash() {
    throw missing();
  }

  @Override
  public void unstashAll() {
    throw missing();
  }

  @Override
  public void unstash(int most) {
    throw missing();
  }

  @Override
  public StashView<Object> stashed() {
    throw missing();
  }

  @Override
  public void receiveTimeout(Duration idle, Object message) {
    throw missing();
  }

  @Override
  public void cancelReceiveTimeout() {
    throw missing();
  }

  @Override
  public void watch(ActorRef<?> actor, Function<Terminated, ?> message) {
    String its = actor.path().toString();
    watched.put(its, message);
    node.watch(
        its,
        reason -> {
          Function<Terminated, ?> told = isOver() ? null : watched.remove(its);
          if (told != null) {
            tellSelf(told.apply(new Terminated(actor, reason)));
          }
        });
  }

  @Override
  public void unwatch(ActorRef<?> actor) {
    watched.remove(actor.path().toString());
  }

  @Override
  public void stopSelf() {
    throw missing();
  }

  @Override
  public <T> Future<ActorRef<T>> spawnChild(
      String name, Supplier<? extends Actor<T>> factory, ActorOptions options) {
    if (isOver()) {
      return Future.failedFuture(new CallboardException(Code.STOPPED, path + " has ended"));
    }
    String child = path + "/" + name;
    children.add(child);
    return node.starts(child, factory).map(started -> new WorldRef<>(node, child, false));
  }

  /** Ends the children of this life. */
  void endChildren() {
    children.forEach(child -> node.ends(child, "its parent has ended"));
    children.clear();
  }

  @Override
  public ActorRef<?> self() {
    return new WorldRef<>(node, path, isDurable());
  }

  abstract boolean isDurable();

  @Override
  public Recovery recovery() {
    throw missing();
  }

  @Override
  public void state(Object state) {
    throw missing();
  }

  @Override
  public void event(Object event, Set<String> tags) {
    throw missing();
  }

  @Override
  public MailPlace place() {
    throw missing();
  }

  @Override
  public Optional<Throwable> beforeLastAttempt() {
    return Optional.empty();
  }

  @Override
  public void enlist(Object work) {
    throw missing();
  }

  @Override
  public void delete() {
    throw missing();
  }

  @Override
  public void goOn() {}

  @Override
  public void wishSnapshot() {}

  @Override
  public void startDurableTimer(String key, Duration delay, Object message, boolean periodic) {
    throw missing();
  }

  @Override
  public void cancelDurableTimer(String key) {
    throw missing();
  }

  @Override
  public <T> long deliver(ActorRef<T> destination, LongFunction<? extends T> message) {
    throw missing();
  }

  @Override
  public boolean confirm(long id) {
    throw missing();
  }

  @Override
  public int unconfirmed() {
    return 0;
  }
}
