package io.callboard.examples.tutorial.refunds;

import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.examples.tutorial.bank.BankClient.GiveBack;
import io.callboard.examples.tutorial.bank.BankClient.GivenBack;

/** A refund; the last part of its path is the client's key. */
public final class Refund extends DurableStateActor<Refund.Command, Refund.State> {
  /** The messages that a refund understands. */
  public sealed interface Command {
    /** Asks for the refund, for the first time or again. Answered with the {@link State}. */
    record Request(long cents) implements Command {}

    /** The bank has answered. */
    record Done(long delivery, String receipt) implements Command {}
  }

  /** State of a refund, and the answer. */
  public sealed interface State {
    /** Nobody has asked for it. */
    record Unknown() implements State {}

    /** The bank is asked, until it answers. */
    record UnderWay(long cents) implements State {}

    /** The money is back. */
    record Refunded(long cents, String receipt) implements State {}
  }

  @Override
  protected State initial() {
    return new State.Unknown();
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.adapt(GivenBack.class, answer -> new Command.Done(answer.id(), answer.receipt()))
        .message(Command.Request.class, this::request)
        .message(Command.Done.class, this::done);
  }

  /** A repeated request finds the state that the first one committed, and sends nothing. */
  private void request(Command.Request request) {
    if (state() instanceof State.Unknown) {
      update(new State.UnderWay(request.cents()));
      deliver(
          callboard().ref("/bank", GiveBack.class),
          id -> new GiveBack(id, path().name(), request.cents()));
    }
    reply(state());
  }

  private void done(Command.Done done) {
    if (confirm(done.delivery()) && state() instanceof State.UnderWay asked) {
      update(new State.Refunded(asked.cents(), done.receipt()));
    }
  }
}
