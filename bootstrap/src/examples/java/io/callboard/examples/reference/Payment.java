package io.callboard.examples.reference;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import java.time.Duration;

/**
 * Actor that waits a week for the money, with a reminder each day; refunds wait until it is there.
 */
public final class Payment extends DurableStateActor<Payment.Command, Payment.State> {
  /** The commands. */
  public sealed interface Command {
    /** The customer is asked to pay. */
    record Ask(long cents) implements Command {}

    /** The money is there. */
    record Paid(long cents) implements Command {}

    /** Some of it goes back. */
    record Refund(long cents) implements Command {}

    /** A day has passed. */
    record Remind(int asked) implements Command {}

    /** A week has passed. */
    record GiveUp(String why) implements Command {}
  }

  /** State of a payment. */
  public sealed interface State {
    /** The money is not there. */
    record Open(int reminders) implements State {}

    /** Paid. */
    record Paid(long cents) implements State {}

    /** Failed for good. */
    record Failed(String why) implements State {}
  }

  @Override
  protected State initial() {
    return new State.Open(0);
  }

  @Override
  protected void protocol(State state, Protocol<Command> on) {
    if (state instanceof State.Open) {
      on.message(
              Command.Ask.class,
              ask -> {
                startPeriodicDurableTimer("remind", Duration.ofDays(1), new Command.Remind(1));
                startDurableTimer("give up", Duration.ofDays(7), new Command.GiveUp("no money"));
              })
          .message(Command.Remind.class, this::remind)
          .message(Command.Refund.class, refund -> stash())
          .message(Command.Paid.class, this::paid)
          .message(Command.GiveUp.class, late -> update(new State.Failed(late.why())));
    } else if (state instanceof State.Paid) {
      on.message(
          Command.Refund.class,
          refund -> update(new State.Paid(((State.Paid) state()).cents() - refund.cents())));
    }
    protocol(on);
  }

  private void paid(Command.Paid paid) {
    cancelDurableTimer("remind");
    cancelDurableTimer("give up");
    update(new State.Paid(paid.cents()));
    unstashAll();
  }

  private void remind(Command.Remind remind) {
    update(new State.Open(((State.Open) state()).reminders() + remind.asked()));
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.others(other -> reply(state()));
  }
}
