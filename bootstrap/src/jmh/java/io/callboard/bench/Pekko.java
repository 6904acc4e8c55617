package io.callboard.bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor system of Pekko typed, with its defaults or others, into which plain code spawns. */
final class Pekko implements AutoCloseable {
  private static final long LIMIT_SECONDS = 60;

  private final ActorSystem<Order> system;

  /** Message to the guardian. */
  private sealed interface Order {
    /** Request to create an actor, and to report when it has ended. */
    record Spawn<M>(
        Behavior<M> behavior, CompletableFuture<ActorRef<M>> up, CompletableFuture<Boolean> ended)
        implements Order {}

    /** Signal that an actor and its children have ended. */
    record Ended(CompletableFuture<Boolean> future) implements Order {}
  }

  Pekko() {
    this(ConfigFactory.load());
  }

  Pekko(Config config) {
    system = ActorSystem.create(guardian(), "bench", config);
  }

  private static Behavior<Order> guardian() {
    return Behaviors.setup(
        context ->
            Behaviors.receiveMessage(
                order -> {
                  if (order instanceof Order.Spawn<?> spawn) {
                    spawn(context, spawn);
                  } else if (order instanceof Order.Ended gone) {
                    gone.future().complete(true);
                  }
                  return Behaviors.same();
                }));
  }

  private static <M> void spawn(ActorContext<Order> context, Order.Spawn<M> order) {
    ActorRef<M> actor = context.spawnAnonymous(order.behavior());
    context.watchWith(actor, new Order.Ended(order.ended()));
    order.up().complete(actor);
  }

  <M> ActorRef<M> spawn(Behavior<M> behavior) throws Exception {
    return spawn(behavior, new CompletableFuture<>());
  }

  /**
   * @param ended completed when it is stopped, and all its children are
   */
  <M> ActorRef<M> spawn(Behavior<M> behavior, CompletableFuture<Boolean> ended) throws Exception {
    CompletableFuture<ActorRef<M>> up = new CompletableFuture<>();
    system.tell(new Order.Spawn<>(behavior, up, ended));
    return up.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    system.terminate();
    system
        .getWhenTerminated()
        .toCompletableFuture()
        .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
        .join();
  }
}
