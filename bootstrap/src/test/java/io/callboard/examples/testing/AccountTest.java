package io.callboard.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.examples.Account;
import io.callboard.examples.Account.Balance;
import io.callboard.examples.Account.Command;
import io.callboard.examples.Account.Transferred;
import io.callboard.testkit.actor.Effect.Answered;
import io.callboard.testkit.actor.Effect.Sent;
import io.callboard.testkit.actor.Effect.Updated;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import org.junit.jupiter.api.Test;

/** The handlers of one actor, on the test's thread. */
class AccountTest {
  private final TestedActor<Command> account =
      TestedActor.of(Account::new).from(new Balance(100)).start();

  @Test
  void aTransferLeavesTheBalanceAndIsSent() {
    Effects effects = account.tell(new Command.Transfer("bob", 30));
    assertThat(effects.list())
        .containsExactly(
            new Updated(new Balance(70)),
            new Sent("/accounts/bob", new Command.Deposit(30)),
            new Answered(new Transferred(true, "")));
  }

  @Test
  void aTransferBeyondTheBalanceIsNotMade() {
    Effects effects = account.tell(new Command.Transfer("bob", 101));
    assertThat(effects.answer(Transferred.class).done()).isFalse();
    assertThat(account.tell(new Command.Look()).answer(Balance.class)).isEqualTo(new Balance(100));
  }
}
