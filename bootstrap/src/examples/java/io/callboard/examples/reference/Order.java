package io.callboard.examples.reference;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;

/** A durable finite state machine: a sealed state with one class for each state. */
public final class Order extends DurableStateActor<Order.Command, Order.State> {
  /** Command of a customer or of the store. */
  public sealed interface Command {
    /** The customer pays. */
    record Pay(long cents) implements Command {}

    /** Dispatch from the store. */
    record Ship(String parcel) implements Command {}
  }

  /** State of an order. */
  public sealed interface State {
    /** Not paid yet. */
    record Open() implements State {}

    /** Paid, so that it can be shipped. */
    record Paid(long cents) implements State {}

    /** Shipped. */
    record Shipped(String parcel) implements State {}
  }

  /** Refusal of a command that came too early or too late for that state. */
  public record Refused(String state) {}

  @Override
  protected State initial() {
    return new State.Open();
  }

  @Override
  protected void protocol(State state, Protocol<Command> on) {
    if (state instanceof State.Open) {
      on.message(Command.Pay.class, pay -> update(new State.Paid(pay.cents())));
    } else if (state instanceof State.Paid) {
      on.message(Command.Ship.class, ship -> update(new State.Shipped(ship.parcel())));
    }
    protocol(on);
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.others(other -> reply(new Refused(state().getClass().getSimpleName())));
  }
}
