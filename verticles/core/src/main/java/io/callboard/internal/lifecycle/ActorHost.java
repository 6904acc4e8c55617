package io.callboard.internal.lifecycle;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Failure;
import io.vertx.core.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The actors of a node as one of them sees them: its children, its end, and what a failure or a
 * rest of one means for another. Safe for use by many threads.
 */
public interface ActorHost {
  /** Starts a volatile actor below another one of this node, which ends it with itself. */
  <M> Future<ActorRef<M>> spawnChild(
      ActorPath parent, String name, Supplier<? extends Actor<M>> factory, ActorOptions options);

  /** Stops what an actor has started below itself. */
  Future<Void> stopChildren(ActorPath parent);

  /**
   * Lets the actor that started {@code child} fail in its place.
   *
   * @return false if no actor of this node started it
   */
  boolean escalated(ActorPath child, Throwable cause);

  /** The failure for which an actor or failure zone rests; null if an operator wants it to. */
  @Nullable Failure restsBy(ActorPath resting);

  /** An actor reports that it is well: its backoff begins anew. */
  void well(ActorPath actor);

  /** An actor wants to stop; for one that is permanent that is a failure. */
  void stopsItself(ActorPath actor);

  /** Ends an actor, whoever started it; completes on any thread. */
  Future<Void> end(ActorPath actor);

  /** A volatile actor has ended: its path is free. */
  void ended(ActorRunner runner);
}
