package io.callboard.examples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorOptions;
import io.callboard.examples.Account;
import io.callboard.examples.Account.Balance;
import io.callboard.examples.Account.Command;
import io.callboard.testkit.rehearsal.Rehearsal;
import io.callboard.testkit.rehearsal.RehearsalRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several actors, while nodes die and commits are lost. */
class AccountRehearsalTest {
  private static final List<String> NAMES = List.of("ann", "bob", "cid");

  @Test
  void moneyIsNeitherMadeNorLost() {
    Rehearsal.of(callboard -> callboard.host("/accounts", Account::new, new ActorOptions()))
        .given(run -> NAMES.forEach(name -> tell(run, name, new Command.Deposit(100))))
        .act(
            run -> {
              int from = run.random().nextInt(NAMES.size());
              String to = NAMES.get((from + 1) % NAMES.size());
              tell(run, NAMES.get(from), new Command.Transfer(to, run.random().nextInt(20)));
            })
        .check(run -> assertThat(sum(run)).isEqualTo(300))
        .run();
  }

  private static void tell(RehearsalRun run, String name, Command command) {
    var unused = run.callboard().durableRef("/accounts/" + name, Command.class).tell(command);
  }

  private static long sum(RehearsalRun run) {
    long sum = 0;
    for (String name : NAMES) {
      sum +=
          run.await(
                  run.callboard()
                      .durableRef("/accounts/" + name, Command.class)
                      .ask(new Command.Look(), Balance.class))
              .cents();
    }
    return sum;
  }
}
