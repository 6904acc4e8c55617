package io.callboard.examples.reference;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;

/** A durable finite state machine: a sealed state with one class for each state. */
public final class Order extends DurableStateActor<Order.Command, Order.State> {
  /** What customers and the store do. */
  public sealed interface Command {
    /** The customer pays. */
    record Pay(long cents) implements Command {}

    /** It leaves the store. */
    record Ship(String parcel) implements Command {}
  }

  /** Where it is. */
  public sealed interface State {
    /** Nothing is paid yet. */
    record Open() implements State {}

    /** It can be sent. */
    record Paid(long cents) implements State {}

    /** It is on its way. */
    record Shipped(String parcel) implements State {}
  }

  /** What a command came too early or too late for. */
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
