package io.callboard.node;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;

/** A durable actor that counts, and answers how far. */
final class Counter extends DurableStateActor<Counter.Command, Counter.Total> {
  /** What it understands. */
  sealed interface Command {
    /** Answered with the {@link Total}. */
    record Count() implements Command {}
  }

  /** Its state, and its answer. */
  record Total(long value) {}

  @Override
  protected Total initial() {
    return new Total(0);
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(
        Command.Count.class,
        count -> {
          update(new Total(state().value() + 1));
          reply(state());
        });
  }
}
