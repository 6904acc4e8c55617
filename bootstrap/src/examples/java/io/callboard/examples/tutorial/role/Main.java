package io.callboard.examples.tutorial.role;

import io.callboard.ActorOptions;
import io.callboard.examples.tutorial.durable.BoxOffice;
import io.callboard.node.CallboardNode;

/** A box office that can also hold the role of the agency. */
public final class Main {
  private Main() {}

  /** Runs a node. */
  public static void main(String[] arguments) {
    CallboardNode node = BoxOffice.start(arguments);
    BoxOffice.host(node.callboard()).await();
    node.grid().role("agency", Agency::new, new ActorOptions()).await();
    System.out.println("ready to hold the role");
  }
}
