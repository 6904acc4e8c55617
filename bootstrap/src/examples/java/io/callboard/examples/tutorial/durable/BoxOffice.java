package io.callboard.examples.tutorial.durable;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.examples.tutorial.durable.Show.Answer;
import io.callboard.examples.tutorial.durable.Show.Command;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A box office, where customers book a seat ten times a second. */
public final class BoxOffice {
  private static final List<String> SHOWS =
      List.of(
          "hamlet",
          "macbeth",
          "othello",
          "lear",
          "tempest",
          "pericles",
          "cymbeline",
          "timon",
          "coriolanus",
          "richard",
          "henry",
          "john");

  private BoxOffice() {}

  /** Runs a node, and books until the process ends. */
  public static void main(String[] arguments) throws InterruptedException {
    CallboardNode node = start(arguments);
    host(node.callboard()).await();
    System.out.println("the box office is open");
    for (int customer = 0; ; customer++) {
      book(node.callboard(), show(customer));
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  /** Starts a node in a directory, with a ZooKeeper of its own unless an address is given. */
  public static CallboardNode start(String... arguments) {
    NodeOptions options = new NodeOptions().directory(Path.of(arguments[0]));
    if (arguments.length > 1) {
      options.zookeeper(arguments[1]);
    }
    CallboardNode node = CallboardNode.start(options);
    node.closed().onFailure(failure -> System.exit(1));
    return node;
  }

  /** Declares that shows are made by {@code Show::new}, when their first message comes. */
  public static Future<Void> host(Callboard callboard) {
    return callboard.host("/shows", Show::new, new ActorOptions());
  }

  /** The path of the show that the next customer wants. */
  public static String show(int customer) {
    return "/shows/" + SHOWS.get(customer % SHOWS.size());
  }

  private static void book(Callboard callboard, String show) {
    callboard
        .durableRef(show, Command.class)
        .ask(new Command.Book(1), Answer.class)
        .onSuccess(answer -> System.out.println("answer of " + show + ": " + answer))
        .onFailure(cause -> System.out.println("no answer of " + show + ": " + cause.getMessage()));
  }
}
