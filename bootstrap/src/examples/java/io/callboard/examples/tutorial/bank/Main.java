package io.callboard.examples.tutorial.bank;

import io.callboard.ActorRef;
import io.callboard.examples.tutorial.bank.BankClient.GiveBack;
import io.callboard.examples.tutorial.bank.BankClient.GivenBack;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;

/** Asks the bank for three refunds, through the guard. */
public final class Main {
  private Main() {}

  /** Runs until the bank has answered all three; the address of the bank is the argument. */
  public static void main(String[] arguments) {
    try (CallboardNode node = CallboardNode.start(new NodeOptions().name("box-office"))) {
      ActorRef<GiveBack> bank = Guarded.bank(node.callboard(), arguments[0]).await();
      List<Future<GivenBack>> answers =
          Stream.of("ada", "bob", "cyd")
              .map(who -> bank.ask(new GiveBack(0, who, 4_500), GivenBack.class))
              .toList();
      answers.forEach(answer -> System.out.println(answer.await().receipt()));
    }
  }
}
