package io.callboard.examples.tutorial.refunds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.callboard.examples.tutorial.bank.BankClient.GiveBack;
import io.callboard.examples.tutorial.bank.BankClient.GivenBack;
import io.callboard.examples.tutorial.refunds.Refund.Command;
import io.callboard.examples.tutorial.refunds.Refund.State;
import io.callboard.testkit.actor.Effect.Delivered;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The trap: a key is repeated while its refund is under way. */
class RefundTest {
  private final TestedActor<Command> refund =
      TestedActor.of(Refund::new).path("/refunds/order-1").start();

  @Test
  void theBankIsAskedOnceHoweverOftenTheClientRepeats() {
    Effects first = refund.tell(new Command.Request(4_500));
    assertEquals(new State.UnderWay(4_500), first.answer(State.class));
    Delivered delivery = first.of(Delivered.class).get(0);
    assertEquals(new GiveBack(delivery.id(), "order-1", 4_500), delivery.message());

    Effects again = refund.tell(new Command.Request(4_500));
    assertEquals(new State.UnderWay(4_500), again.answer(State.class));
    assertEquals(List.of(), again.of(Delivered.class));

    refund.tellForeign(new GivenBack(delivery.id(), "receipt-1"));
    Effects late = refund.tell(new Command.Request(4_500));
    assertEquals(new State.Refunded(4_500, "receipt-1"), late.answer(State.class));
    assertEquals(List.of(), late.of(Delivered.class));
  }
}
