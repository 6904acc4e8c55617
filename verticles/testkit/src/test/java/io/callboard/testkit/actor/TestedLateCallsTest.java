package io.callboard.testkit.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Actor;
import io.callboard.ActorRef;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A unit test finds what would be refused in a node, also if the actor drops the failure. */
class TestedLateCallsTest {
  sealed interface Till {
    /** Pays, and forgets that it waits for it. */
    record PayAndForget() implements Till {}

    /** Pays, and waits for it. */
    record Pay() implements Till {}

    /** Waits for another actor. */
    record Wait() implements Till {}

    /** Lets a thread do it. */
    record Elsewhere() implements Till {}

    /** Makes another thread start a timer. */
    record TimerElsewhere() implements Till {}
  }

  record Paid(int cents) {}

  private final Promise<Paid> bank = Promise.promise();

  private final class Volatile extends Actor<Till> {
    @Override
    protected void protocol(Protocol<Till> on) {
      ActorRef<Object> clerk = callboard().ref("/clerk", Object.class);
      on.message(Till.PayAndForget.class, pay -> clerk.ask(pay, Paid.class).map(this::answer))
          .async(Till.Pay.class, pay -> inTurn(bank.future()).onSuccess(this::reply))
          .async(Till.Wait.class, wait -> inTurn(bank.future()).onSuccess(this::reply))
          .message(Till.Elsewhere.class, pay -> elsewhere(() -> reply(new Paid(1))))
          .message(
              Till.TimerElsewhere.class,
              pay -> elsewhere(() -> startTimer("t", Duration.ofDays(1), new Till.Wait())));
    }

    private Paid answer(Paid paid) {
      reply(paid);
      return paid;
    }
  }

  private final class Durable extends DurableStateActor<Till, Paid> {
    @Override
    protected Paid initial() {
      return new Paid(0);
    }

    @Override
    protected void protocol(Protocol<Till> on) {
      ActorRef<Object> clerk = callboard().ref("/clerk", Object.class);
      on.message(Till.PayAndForget.class, pay -> clerk.ask(pay, Paid.class).map(this::store))
          .async(Till.Pay.class, pay -> inTurn(bank.future()).onSuccess(this::update))
          .async(Till.Wait.class, wait -> inTurn(bank.future()).onSuccess(this::reply))
          .message(Till.Elsewhere.class, pay -> elsewhere(() -> update(new Paid(1))))
          .message(
              Till.TimerElsewhere.class,
              pay -> elsewhere(() -> startTimer("t", Duration.ofDays(1), new Till.Wait())));
    }

    private Paid store(Paid paid) {
      update(paid);
      return paid;
    }
  }

  /** Runs a callback like a client that drops its exceptions. */
  private static void elsewhere(Runnable callback) {
    Thread thread = new Thread(() -> assertThatThrownBy(callback::run).isNotNull(), "client-1");
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private TestedActor<Till> actor(boolean durable) {
    TestedActor.Setup<Till> setup =
        durable ? TestedActor.of(() -> new Durable()) : TestedActor.of(() -> new Volatile());
    return setup.path("/till").once().start();
  }

  @Test
  void aCallAfterTheHandlerFailsTheTest() {
    for (boolean durable : new boolean[] {false, true}) {
      TestedActor<Till> till = actor(durable);
      till.tell(new Till.PayAndForget());
      assertThatThrownBy(() -> till.answer("/clerk", new Paid(7)))
          .as("durable: %s", durable)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining((durable ? "update" : "reply") + " of /till outside of a turn")
          .hasMessageContaining("on.async(");
    }
  }

  @Test
  void aCallInTheTurnOfAnotherMessageFailsTheTest() {
    for (boolean durable : new boolean[] {false, true}) {
      TestedActor<Till> till = actor(durable);
      till.tell(new Till.PayAndForget());
      till.tell(new Till.Wait());
      assertThat(till.isBusy()).isTrue();
      assertThatThrownBy(() -> till.answer("/clerk", new Paid(7)))
          .as("durable: %s", durable)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(
              "of /till outside of a turn: the turn of PayAndForget, which made the call, has ended, while Wait is being handled");
    }
  }

  @Test
  void aCallOfAnotherThreadFailsTheTest() {
    for (boolean durable : new boolean[] {false, true}) {
      assertThatThrownBy(() -> actor(durable).tell(new Till.Elsewhere()))
          .as("durable: %s", durable)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(
              "of /till outside of a turn: it came from thread client-1, which is not the actor's, while Elsewhere is being handled");
      assertThatThrownBy(() -> actor(durable).tell(new Till.TimerElsewhere()))
          .as("durable: %s", durable)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(
              "startTimer of /till from thread client-1, which is not the actor's");
    }
  }

  @Test
  void callbacksOfAFutureThatTheTurnWaitsForMayCall() {
    TestedActor<Till> till = actor(true);
    till.tell(new Till.Pay());
    bank.complete(new Paid(7));
    till.goOn();
    assertThat(till.state(Paid.class)).isEqualTo(new Paid(7));
  }

  @Test
  void aStartMayDoWhatConcernsTheActor() {
    TestedActor<Till> starts = TestedActor.of(() -> new Starts()).start();
    assertThat(starts.started().list()).hasSize(1);
  }

  private static final class Starts extends Actor<Till> {
    @Override
    protected Future<?> started() {
      startTimer("t", Duration.ofDays(1), new Till.Wait());
      return Future.succeededFuture();
    }

    @Override
    protected void protocol(Protocol<Till> on) {
      on.others(other -> {});
    }
  }
}
