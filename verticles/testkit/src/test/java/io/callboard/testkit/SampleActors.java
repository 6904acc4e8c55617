package io.callboard.testkit;

import io.callboard.DurableStateActor;
import io.callboard.PersistentActor;
import io.callboard.Protocol;

/** Actors for tests in which it does not matter what an actor does. */
public final class SampleActors {
  private SampleActors() {}

  public record Add(int amount) {}

  public record Total(int value) {}

  /** Actor that adds up the amounts that it receives; a negative one makes it fail. */
  public static final class Counter extends DurableStateActor<Add, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            if (add.amount() < 0) {
              throw new IllegalArgumentException("negative");
            }
            update(new Total(state().value() + add.amount()));
            reply(state());
          });
    }
  }

  record Did(int amount) {}

  /** Persistent actor that adds up the amounts that it receives. */
  static final class Ledger extends PersistentActor<Add, Did, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected Total apply(Total state, Did event) {
      return new Total(state.value() + event.amount());
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            persist(new Did(add.amount()));
            reply(state());
          });
    }
  }
}
