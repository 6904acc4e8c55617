package io.callboard.examples.readme;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import java.nio.file.Path;

/** Bank account: its balance and the messages to it survive every crash. */
public final class Account extends DurableStateActor<Account.Command, Account.Balance> {
  public sealed interface Command {
    record Deposit(long cents) implements Command {}

    record Transfer(String to, long cents) implements Command {}
  }

  public record Balance(long cents) {}

  @Override
  protected Balance initial() {
    return new Balance(0);
  }

  @Override
  protected void protocol(Protocol<Command> on) {
    on.message(Command.Deposit.class, deposit -> change(deposit.cents()))
        .message(
            Command.Transfer.class,
            transfer -> {
              change(-transfer.cents()); // leaves here and arrives there in one commit
              tell(account(transfer.to()), new Command.Deposit(transfer.cents()));
            });
  }

  private void change(long cents) {
    update(new Balance(state().cents() + cents));
    reply(state());
  }

  private ActorRef<Command> account(String name) {
    return callboard().durableRef("/accounts/" + name, Command.class);
  }

  public static void main(String[] args) {
    try (CallboardNode node = CallboardNode.start(new NodeOptions().directory(Path.of("data")))) {
      node.callboard().host("/accounts", Account::new, new ActorOptions()).await();
      ActorRef<Command> ada = node.callboard().durableRef("/accounts/ada", Command.class);
      System.out.println(ada.ask(new Command.Deposit(100), Balance.class).await());
    }
  }
}
