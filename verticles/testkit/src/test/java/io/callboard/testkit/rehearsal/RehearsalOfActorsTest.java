package io.callboard.testkit.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.rehearsal.Rehearsal.Fault;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rehearsals find what only faults show, and their seeds are repeatable. */
class RehearsalOfActorsTest {
  private static final int ACCOUNTS = 4;
  private static final int CENTS = 100;

  sealed interface Command {
    /** Passes on so many cents to another account. */
    record Transfer(int to, int cents) implements Command {}

    record Deposit(int cents) implements Command {}

    record Look() implements Command {}
  }

  record Balance(int cents) {}

  private static ActorRef<Command> account(io.callboard.Callboard callboard, int number) {
    return callboard.durableRef("/accounts/" + number, Command.class);
  }

  static class Account extends DurableStateActor<Command, Balance> {
    @Override
    protected Balance initial() {
      return new Balance(CENTS);
    }

    int cents() {
      return state().cents();
    }

    void cents(int next) {
      update(new Balance(next));
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.message(
              Command.Transfer.class,
              transfer -> {
                cents(cents() - transfer.cents());
                tell(account(callboard(), transfer.to()), new Command.Deposit(transfer.cents()));
              })
          .message(Command.Deposit.class, deposit -> cents(cents() + deposit.cents()))
          .message(Command.Look.class, look -> reply(new Balance(cents())));
    }
  }

  /** Account that keeps its money in a field, which is lost with its node. */
  static final class Forgetful extends Account {
    private int inField = CENTS;

    @Override
    int cents() {
      return inField;
    }

    @Override
    void cents(int next) {
      inField = next;
    }
  }

  private static Rehearsal of(Supplier<? extends Account> account) {
    return Rehearsal.of(callboard -> callboard.host("/accounts", account, new ActorOptions()))
        .act(
            run -> {
              int from = run.random().nextInt(ACCOUNTS);
              int to = (from + 1 + run.random().nextInt(ACCOUNTS - 1)) % ACCOUNTS;
              var unused =
                  account(run.callboard(), from)
                      .tell(new Command.Transfer(to, 1 + run.random().nextInt(20)));
            })
        .check(run -> assertThat(sum(run)).as("cents").isEqualTo(ACCOUNTS * CENTS));
  }

  private static int sum(RehearsalRun run) {
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
      sum += run.await(account(run.callboard(), i).ask(new Command.Look(), Balance.class)).cents();
    }
    return sum;
  }

  @Test
  void aCorrectActorPasses() {
    assertThatCode(() -> of(Account::new).seeds(30).run()).doesNotThrowAnyException();
  }

  @Test
  void aStateOutsideOfTheTurnIsFound() {
    assertThatThrownBy(() -> of(Forgetful::new).run())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Dcallboard.rehearsal.seed=")
        .hasMessageContaining("[cents]")
        .hasMessageContaining("the node died");
    assertThatCode(() -> of(Forgetful::new).faults(Fault.DELAY).seeds(5).run())
        .as("without what shows it")
        .doesNotThrowAnyException();
  }

  @Test
  void aSeedIsAlwaysTheSameRun() {
    List<String> first = played(7);
    assertThat(first).isNotEmpty();
    for (int i = 0; i < 4; i++) {
      assertThat(played(7)).isEqualTo(first);
    }
    assertThat(played(8)).isNotEqualTo(first);
  }

  private static List<String> played(long seed) {
    AtomicReference<List<String>> faults = new AtomicReference<>(List.of());
    List<String> balances = new ArrayList<>();
    Rehearsal rehearsal =
        of(Account::new)
            .check(
                run -> {
                  faults.set(run.faults());
                  for (int i = 0; i < ACCOUNTS; i++) {
                    balances.add(
                        ""
                            + run.await(
                                account(run.callboard(), i)
                                    .ask(new Command.Look(), Balance.class)));
                  }
                });
    withSeed("" + seed, rehearsal::run);
    balances.addAll(faults.get());
    return balances;
  }

  @Test
  void wrongOptionsAreRefusedInWords() {
    assertThatThrownBy(() -> of(Account::new).seeds(0)).hasMessage("0 seeds: give at least 1");
    assertThatThrownBy(() -> of(Account::new).steps(0)).hasMessage("0 steps: give at least 1");
    assertThatThrownBy(
            () -> Rehearsal.of(callboard -> Future.succeededFuture()).act(run -> {}).run())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("check(...)");
  }

  @Test
  void aFaultMayBeNamedTwice() {
    assertThatCode(() -> of(Account::new).faults(Fault.DELAY, Fault.DELAY).seeds(1).run())
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seventeen", "1.5", "99999999999999999999"})
  void aPropertyThatIsNoSeedIsRefused(String value) {
    assertThatThrownBy(() -> withSeed(value, of(Account::new)::run))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-Dcallboard.rehearsal.seed=" + value + " is no seed")
        .hasMessageContaining("17");
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new IllegalStateException("as planned"),
        new AssertionError("as planned"),
        new StackOverflowError("as planned"),
        new NullPointerException());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureOfAStepIsReportedWithItsSeed(Throwable failure) {
    assertFailsWithItsSeed(of(Account::new).act(run -> sneak(failure)), failure);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aFailureOfAStartIsReportedWithItsSeed(Throwable failure) {
    assertFailsWithItsSeed(
        Rehearsal.of(callboard -> Future.failedFuture(failure)).check(run -> {}), failure);
    assertFailsWithItsSeed(
        Rehearsal.of(
                callboard -> {
                  sneak(failure);
                  return Future.succeededFuture();
                })
            .check(run -> {}),
        failure);
  }

  private static void assertFailsWithItsSeed(Rehearsal rehearsal, Throwable failure) {
    assertThatThrownBy(() -> withSeed("5", rehearsal::run))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("seed 5 (-Dcallboard.rehearsal.seed=5 runs it alone)")
        .hasMessageContaining(
            failure.getMessage() == null ? failure.toString() : failure.getMessage())
        .hasCause(failure);
  }

  @Test
  void aStartThatFailsLeavesNoThreads() {
    List<Vertx> opened = new ArrayList<>();
    Rehearsal rehearsal =
        Rehearsal.of(
                callboard -> {
                  opened.add(callboard.vertx());
                  throw new IllegalStateException("as planned");
                })
            .check(run -> {});
    assertThatThrownBy(rehearsal::run).isInstanceOf(AssertionError.class);
    assertThat(opened)
        .singleElement()
        .satisfies(
            vertx ->
                assertThat(((VertxInternal) vertx).nettyEventLoopGroup().isShuttingDown())
                    .isTrue());
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }

  private static void withSeed(String value, Runnable task) {
    System.setProperty(Rehearsal.PROPERTY, value);
    try {
      task.run();
    } finally {
      System.clearProperty(Rehearsal.PROPERTY);
    }
  }
}
