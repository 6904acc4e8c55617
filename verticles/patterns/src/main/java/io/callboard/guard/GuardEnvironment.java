package io.callboard.guard;

import io.callboard.ActorRef;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Services that a guard provides to its buffer. Confined to the guard's context. */
interface GuardEnvironment<M> {
  Time time();

  RandomGenerator random();

  /** Runs the task later, on the guard's context. */
  Time.Alarm after(Duration delay, Runnable task);

  /** Returns whether the life of the guard has ended, as it does if its start fails. */
  boolean isOver();

  /** Starts the guarded actor. */
  Future<ActorRef<M>> spawn();

  /** Returns the ref of the guarded actor, running or not. */
  ActorRef<M> ref();

  /** Stops the guarded actor. */
  Future<Void> stop();
}
