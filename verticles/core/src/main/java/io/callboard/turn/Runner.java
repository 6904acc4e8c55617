package io.callboard.turn;

import io.callboard.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Supervised;
import io.vertx.core.Future;

/** What runs one actor over all its lives. */
interface Runner extends Supervised {
  ActorPath path();

  /** Stops the actor for good; mail that is in memory only is answered as undeliverable. */
  Future<Void> stop();

  ActorStatus status();

  /** Any thread. */
  ActorStatus.State state();

  @Override
  default String label() {
    return "actor " + path();
  }
}
