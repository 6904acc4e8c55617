package io.callboard.testkit.actor;

import io.callboard.Actor;
import io.callboard.Protocol;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/** Actor that accepts any message, in place of an actor that the test stands for. */
final class StandIn extends Actor<Object> {
  /** Nominal protocol: the messages do not leave the node. */
  private record Anything() {}

  @Override
  @SuppressWarnings("unchecked")
  public Class<Object> messageType() {
    return (Class<Object>) (Class<?>) Anything.class;
  }

  @Override
  protected void protocol(Protocol<Object> on) {
    on.others(message -> {});
  }

  @Override
  public @Nullable Future<?> receive(Object message) {
    return null;
  }
}
