package io.callboard.internal.lifecycle;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Failure;
import io.vertx.core.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations that one actor needs on the other actors of its node: to start and stop children, to
 * end itself, to report failures. Safe for use by many threads.
 */
public interface ActorHost {
  /**
   * Starts a volatile actor as a child of another one of this node, and ends it with that one.
   *
   * @param isOver whether the parent's life is over, so that the child is refused. Any thread
   */
  <M> Future<ActorRef<M>> spawnChild(
      ActorPath parent,
      BooleanSupplier isOver,
      String name,
      Supplier<? extends Actor<M>> factory,
      ActorOptions options);

  /** Stops the children of an actor whose life is over. */
  Future<Void> stopChildren(ActorPath parent);

  /**
   * Makes the parent of {@code child} fail in its place.
   *
   * @return false if no actor of this node is its parent
   */
  boolean escalated(ActorPath child, Throwable cause);

  /**
   * Returns the failure for which an actor or failure zone rests; null if an operator made it rest.
   */
  @Nullable Failure restsBy(ActorPath resting);

  /** Resets the backoff of an actor that reports itself healthy. */
  void well(ActorPath actor);

  /** Stops an actor at its own request; for a permanent one that counts as a failure. */
  void stopsItself(ActorPath actor);

  /** Stops an actor, whoever started it; completes on any thread. */
  Future<Void> end(ActorPath actor);

  /** Frees the path of a volatile actor that has ended. */
  void ended(ActorRunner runner);
}
