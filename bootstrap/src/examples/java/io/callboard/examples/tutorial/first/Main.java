package io.callboard.examples.tutorial.first;

import io.callboard.ActorRef;
import io.callboard.examples.tutorial.first.Show.Answer;
import io.callboard.examples.tutorial.first.Show.Command;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;

/** Books seats of one show. */
public final class Main {
  private Main() {}

  /** Runs a node that keeps everything in memory. */
  public static void main(String[] arguments) {
    try (CallboardNode node = CallboardNode.start(new NodeOptions().name("box-office"))) {
      ActorRef<Command> hamlet = node.callboard().spawn("/shows/hamlet", Show::new).await();
      System.out.println(hamlet.ask(new Command.Book(2), Answer.class).await());
      System.out.println(hamlet.ask(new Command.Book(3), Answer.class).await());
      System.out.println(hamlet.ask(new Command.Book(996), Answer.class).await());
    }
  }
}
