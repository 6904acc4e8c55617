package io.callboard.testkit.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.testkit.actor.Effect.DurableTimerCancelled;
import io.callboard.testkit.actor.Effect.DurableTimerStarted;
import io.callboard.testkit.actor.Effect.Stashed;
import io.callboard.testkit.actor.Effect.Unstashed;
import io.callboard.testkit.actor.Effect.Updated;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Durable timers, a durable stash and adapters in a tested actor. */
class TestedDurableActorTest {
  sealed interface Command {
    record Order(String what) implements Command {}

    record Paid(int cents) implements Command {}

    record GiveUp(String why) implements Command {}

    record Misuse(String what) implements Command {}

    record Vague(Object what) implements Command {}

    record Later(String what) implements Command {}

    /** Makes it tell itself something in memory. */
    record Own(String what) implements Command {}
  }

  record Vague(Object what) {}

  record Transfer(String euros) {}

  record State(String what) {}

  static final class Shop extends DurableStateActor<Command, State> {
    @Override
    protected State initial() {
      return new State("open");
    }

    @Override
    protected void protocol(Protocol<Command> on) {
      on.adapt(
              Transfer.class,
              transfer -> new Command.Paid(100 * Integer.parseInt(transfer.euros())))
          .message(
              Command.Order.class,
              order -> {
                if (state().what().equals("busy")) {
                  stash();
                } else {
                  update(new State("busy"));
                  startDurableTimer("late", Duration.ofDays(1), new Command.GiveUp(order.what()));
                }
              })
          .message(
              Command.Paid.class,
              paid -> {
                cancelDurableTimer("late");
                update(new State("paid " + paid.cents()));
                unstashAll();
              })
          .message(Command.GiveUp.class, late -> update(new State("gave up " + late.why())))
          .message(
              Command.Misuse.class,
              misuse -> {
                update(new State(misuse.what()));
                stash();
              })
          .message(Command.Vague.class, vague -> update(new State("" + vague.what())))
          .message(
              Command.Own.class,
              own ->
                  pipeToSelf(
                      Future.succeededFuture(own.what()), done -> new Command.Vague(done.result())))
          .message(
              Command.Later.class,
              later ->
                  startDurableTimer("later", Duration.ofDays(1), new Command.Vague(later.what())));
    }
  }

  private final TestedActor<Command> shop = TestedActor.of(Shop::new).start();

  @Test
  void timersAndWhatIsPutAsideAreSeenAndComeAgain() {
    Command.GiveUp late = new Command.GiveUp("a");
    assertThat(shop.tell(new Command.Order("a")).list())
        .containsExactly(
            new Updated(new State("busy")),
            new DurableTimerStarted("late", Duration.ofDays(1), late, false));
    Command.Order second = new Command.Order("b");
    assertThat(shop.tell(second).list()).containsExactly(new Stashed(second));
    assertThat(shop.tellForeign(new Transfer("7")).list())
        .containsExactly(
            new DurableTimerCancelled("late"),
            new Updated(new State("paid 700")),
            new Unstashed(1),
            new Updated(new State("busy")),
            new DurableTimerStarted("late", Duration.ofDays(1), new Command.GiveUp("b"), false));
    shop.restart();
    assertThat(shop.fire("late").list()).containsExactly(new Updated(new State("gave up b")));
    assertThat(shop.state(State.class)).isEqualTo(new State("gave up b"));
  }

  /** Its text would be read back unchanged, but not every value that it could hold. */
  @Test
  void aValueThatCouldNeverBeReadBackIsRefusedAsInACell() {
    String why = "component \"what\" is a java.lang.Object";
    assertThatThrownBy(() -> shop.tell(new Command.Vague("text"))).hasMessageContaining(why);
    assertThatThrownBy(() -> shop.tellForeign(new Vague("text"))).hasMessageContaining(why);
    assertThat(shop.tell(new Command.Own("text")).list()).contains(new Updated(new State("text")));
    assertThat(shop.failure(() -> shop.tell(new Command.Later("text")))).hasMessageContaining(why);
  }

  @Test
  @SuppressWarnings("NullAway") // that is what is tested
  void aNullIsRefusedAsInACell() {
    assertThatThrownBy(() -> shop.tell(null))
        .isInstanceOfSatisfying(
            CallboardException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_MESSAGE))
        .hasMessage("the message to /tested is null: tell an object of its protocol");
  }

  @Test
  void aTurnThatPutsItsMessageAsideAndDoesMoreFails() {
    assertThat(shop.failure(() -> shop.tell(new Command.Misuse("x"))))
        .hasMessageContaining("would be repeated when it is unstashed");
  }
}
