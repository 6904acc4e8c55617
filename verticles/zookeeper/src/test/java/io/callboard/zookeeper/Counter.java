package io.callboard.zookeeper;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.util.function.IntConsumer;

/** A durable actor that counts, and tells the number of each message once it is durable. */
final class Counter extends DurableStateActor<Counter.Count, Counter.Total> {
  private final IntConsumer handled;

  /** Message that the actor counts. */
  record Count(int number) {}

  /** State of the actor. */
  record Total(long value) {}

  Counter(IntConsumer handled) {
    this.handled = handled;
  }

  @Override
  protected Total initial() {
    return new Total(0);
  }

  @Override
  protected void protocol(Protocol<Count> on) {
    on.message(
        Count.class,
        count -> {
          update(new Total(state().value() + 1));
          afterCommit(() -> handled.accept(count.number()));
        });
  }
}
