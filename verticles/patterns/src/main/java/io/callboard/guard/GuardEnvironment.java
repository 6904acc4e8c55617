package io.callboard.guard;

import io.callboard.ActorRef;
import io.callboard.time.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** What a guard has to do with; used on its context only. */
interface GuardEnvironment<M> {
  Time time();

  RandomGenerator random();

  /** Runs the task later, on the guard's context. */
  Time.Alarm after(Duration delay, Runnable task);

  /** Whether the life of the guard is over, which also ends if its start fails. */
  boolean isOver();

  /** Starts the guarded actor. */
  Future<ActorRef<M>> spawn();

  /** Of the guarded actor, running or not. */
  ActorRef<M> ref();

  /** Stops the guarded actor. */
  Future<Void> stop();
}
