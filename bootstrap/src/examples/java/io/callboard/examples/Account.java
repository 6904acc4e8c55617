package io.callboard.examples;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.examples.Account.Balance;
import io.callboard.examples.Account.Command;

/**
 * Account that transfers money to another one, so that none is lost or created whatever fails.
 *
 * <p>A transfer is one turn here (the amount leaves the balance and the deposit is sent, together
 * or not at all) and one turn there. Nothing more is needed: the toolkit delivers the deposit
 * exactly once.
 */
public final class Account extends DurableStateActor<Command, Balance> {
  /** Command of an account. */
  public sealed interface Command {
    /** Answered with the {@link Balance}. */
    record Deposit(long cents) implements Command {}

    /** Moves money to another account; answered with {@link Transferred}. */
    record Transfer(String to, long cents) implements Command {}

    /** Answered with the {@link Balance}. */
    record Look() implements Command {}
  }

  /** The state, and an answer. */
  public record Balance(long cents) {}

  /** The answer to a transfer. */
  public record Transferred(boolean done, String why) {}

  @Override
  protected Balance initial() {
    return new Balance(0);
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Deposit.class, this::deposit)
        .message(Command.Transfer.class, this::transfer)
        .message(Command.Look.class, look -> reply(state()));
  }

  private void deposit(Command.Deposit deposit) {
    update(new Balance(state().cents() + deposit.cents()));
    reply(state());
  }

  private void transfer(Command.Transfer transfer) {
    if (transfer.cents() <= 0 || transfer.cents() > state().cents()) {
      reply(new Transferred(false, "the balance is " + state().cents()));
      return;
    }
    update(new Balance(state().cents() - transfer.cents()));
    tell(
        callboard().durableRef("/accounts/" + transfer.to(), Command.class),
        new Command.Deposit(transfer.cents()));
    reply(new Transferred(true, ""));
  }
}
