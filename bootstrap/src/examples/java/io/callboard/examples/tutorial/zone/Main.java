package io.callboard.examples.tutorial.zone;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.CallboardException;
import io.callboard.examples.tutorial.zone.Printer.Print;
import io.callboard.examples.tutorial.zone.Printer.Printed;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.vertx.core.Future;
import java.time.Duration;

/** Prints tickets on a printer in a failure zone. */
public final class Main {
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private Main() {}

  /** Prints tickets; the zone is resumed for the last one. */
  public static void main(String[] tickets) {
    try (CallboardNode node = CallboardNode.start(new NodeOptions().name("box-office"))) {
      ActorRef<Print> printer = printing(node.callboard()).await();
      for (String ticket : tickets) {
        print(printer, ticket);
      }
      node.callboard().admin().resume("/printing").await();
      print(printer, "after resume");
    }
  }

  /** A zone that gives up at the fourth failure within a minute, and a printer in it. */
  private static Future<ActorRef<Print>> printing(Callboard callboard) {
    FailureZone zone =
        new FailureZone().intensity(3, Duration.ofMinutes(1)).whenOver(LimitAction.PARK);
    return callboard
        .supervise("/printing", zone)
        .compose(v -> callboard.spawn("/printing/printer", Printer::new));
  }

  private static void print(ActorRef<Print> printer, String ticket) {
    try {
      System.out.println(printer.ask(new Print(ticket), Printed.class, LIMIT).await());
    } catch (CallboardException e) {
      System.out.println(e.code() + ": " + e.getMessage());
    }
  }
}
