package io.callboard.testkit;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Actor of a probe: hands each message to the probe, and keeps its turn open until the probe is
 * done with it.
 */
final class ProbeActor<M> extends Actor<M> {
  private final Class<M> protocol;
  private final BlockingQueue<Received<M>> received;

  /** Message whose turn is open until {@link #done}. */
  interface Received<M> {
    M message();

    void reply(Object answer);

    void done();
  }

  ProbeActor(Class<M> protocol, BlockingQueue<Received<M>> received) {
    this.protocol = protocol;
    this.received = received;
  }

  @Override
  public Class<M> messageType() {
    return protocol;
  }

  @Override
  protected void protocol(Protocol<M> on) {
    on.others(message -> {});
  }

  @Override
  public @Nullable Future<?> receive(M message) {
    Promise<Void> turn = Promise.promise();
    Context here = vertx.getOrCreateContext(); // context of this turn
    received.add(
        new Received<>() {
          @Override
          public M message() {
            return message;
          }

          @Override
          public void reply(Object answer) {
            here.runOnContext(v -> ProbeActor.this.reply(answer));
          }

          @Override
          public void done() {
            here.runOnContext(v -> turn.tryComplete());
          }
        });
    return turn.future();
  }
}
