package io.callboard.examples;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.examples.Account.Balance;
import io.callboard.examples.Account.Command;
import io.callboard.examples.Account.Transferred;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The demo {@code account}: opens ten accounts, moves money between them at random, and audits the
 * sum. Killed and started again it goes on with the same accounts and the same sum.
 */
public final class Accounts extends VerticleBase {
  static final int ACCOUNTS = 10;
  static final long START_CENTS = 100_000;
  private static final int TRANSFERS = 1_000;
  private static final long LOOK_MS = 100;

  /** Maximum number of looks, half a minute of them; the transfers are committed long before. */
  private static final int MOST_LOOKS = 300;

  private final RandomGenerator random;
  private final java.util.function.Consumer<String> out;

  /**
   * Creates the demo.
   *
   * @param out receives its lines
   */
  public Accounts(RandomGenerator random, java.util.function.Consumer<String> out) {
    this.random = random;
    this.out = out;
  }

  @Override
  public Future<?> start() {
    Callboard callboard = Callboard.of(vertx);
    return callboard
        .host("/accounts", Account::new, new ActorOptions())
        .compose(v -> balances(callboard))
        .compose(
            before -> {
              long sum = before.stream().mapToLong(Balance::cents).sum();
              out.accept("found     %s  sum %d".formatted(cents(before), sum));
              return sum == 0 ? open(callboard) : Future.succeededFuture();
            })
        .compose(v -> transfers(callboard))
        .compose(v -> audit(callboard, MOST_LOOKS));
  }

  private Future<Void> open(Callboard callboard) {
    List<Future<Balance>> opened =
        IntStream.range(0, ACCOUNTS)
            .mapToObj(
                i -> account(callboard, i).ask(new Command.Deposit(START_CENTS), Balance.class))
            .toList();
    return Future.all(opened).mapEmpty();
  }

  private Future<Void> transfers(Callboard callboard) {
    List<Future<Transferred>> all = new ArrayList<>();
    for (int i = 0; i < TRANSFERS; i++) {
      int from = random.nextInt(ACCOUNTS);
      int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
      Command transfer = new Command.Transfer("a" + to, 1 + random.nextInt(500));
      all.add(account(callboard, from).ask(transfer, Transferred.class));
    }
    return Future.join(all)
        .map(
            done -> {
              long moved = all.stream().filter(future -> future.result().done()).count();
              out.accept("moved money %d times of %d".formatted(moved, TRANSFERS));
              return null;
            });
  }

  /** Deposits may still be under way: the sum is exact when every mailbox is empty. */
  private Future<Void> audit(Callboard callboard, int looks) {
    return balances(callboard)
        .compose(
            now -> {
              long sum = now.stream().mapToLong(Balance::cents).sum();
              if (sum != ACCOUNTS * START_CENTS) {
                return looks > 1
                    ? vertx.timer(LOOK_MS).compose(v -> audit(callboard, looks - 1))
                    : Future.failedFuture(
                        "the sum of all accounts stays %d, and should be %d"
                            .formatted(sum, ACCOUNTS * START_CENTS));
              }
              out.accept("audited   %s  sum %d".formatted(cents(now), sum));
              return Future.succeededFuture();
            });
  }

  private static Future<List<Balance>> balances(Callboard callboard) {
    List<Future<Balance>> all =
        IntStream.range(0, ACCOUNTS)
            .mapToObj(i -> account(callboard, i).ask(new Command.Look(), Balance.class))
            .toList();
    return Future.all(all).map(done -> all.stream().map(Future::result).toList());
  }

  private static String cents(List<Balance> balances) {
    return balances.stream().map(Balance::cents).toList().toString();
  }

  private static ActorRef<Command> account(Callboard callboard, int number) {
    return callboard.durableRef("/accounts/a" + number, Command.class);
  }
}
