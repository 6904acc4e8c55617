package io.callboard.routing;

import io.callboard.ActorRef;
import java.util.concurrent.atomic.AtomicInteger;

/** A routee of a router, with the number of its outstanding messages. */
final class Routee<M> {
  private final ActorRef<M> ref;
  private final String name;
  private final AtomicInteger load = new AtomicInteger();

  Routee(ActorRef<M> ref) {
    this.ref = ref;
    this.name = ref.path().toString();
  }

  ActorRef<M> ref() {
    return ref;
  }

  /** Returns the name of the routee, the same on every node and after every restart. */
  String name() {
    return name;
  }

  /** Returns the number of its outstanding messages. */
  int load() {
    return load.get();
  }

  void takes() {
    load.incrementAndGet();
  }

  /** Any thread. */
  void isDone() {
    load.decrementAndGet();
  }
}
