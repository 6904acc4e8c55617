package io.callboard.testkit;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.Protocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** Actor that waits for the end of another one, reports it and stops itself. */
final class EndWatch extends Actor<EndWatch.Ended> {
  private final ActorRef<?> watched;
  private final Promise<String> end;

  /** Signal that the other actor has ended. */
  record Ended(String cause) {}

  /**
   * Creates the actor.
   *
   * @param end receives the cause
   */
  EndWatch(ActorRef<?> watched, Promise<String> end) {
    this.watched = watched;
    this.end = end;
  }

  @Override
  protected void protocol(Protocol<Ended> on) {
    on.message(
        Ended.class,
        ended -> {
          boolean unused = end.tryComplete(ended.cause());
          stopSelf();
        });
  }

  @Override
  protected Future<?> started() {
    watch(watched, terminated -> new Ended(terminated.reason()));
    return Future.succeededFuture();
  }
}
