package io.callboard.examples.visitors;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.examples.visitors.Visitor.Command;
import io.callboard.examples.visitors.Visitor.Visits;
import io.callboard.node.CallboardNode;
import io.callboard.node.NodeOptions;
import io.callboard.node.NodeStartException;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Starts a node in a directory, and counts a visit for each name that is typed. */
public final class Main {
  private Main() {}

  /**
   * Runs the node.
   *
   * @param arguments the directory of the node, and the address of ZooKeeper if it is not embedded
   */
  public static void main(String[] arguments) throws Exception {
    NodeOptions options = new NodeOptions().directory(Path.of(argument(arguments, 0, "data/a")));
    if (arguments.length > 1) {
      options.zookeeper(arguments[1]);
    }
    try {
      CallboardNode node = CallboardNode.start(options);
      node.closed().onFailure(failure -> System.exit(1));
      host(node.callboard()).await(30, TimeUnit.SECONDS);
      System.out.println(node.name() + " is ready; type names");
      countVisits(node.callboard());
    } catch (NodeStartException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static String argument(String[] arguments, int index, String otherwise) {
    return arguments.length > index ? arguments[index] : otherwise;
  }

  /** Every node hosts all visitors; each visitor runs on one of the nodes at a time. */
  static Future<Void> host(Callboard callboard) {
    return callboard.host("/visitors", Visitor::new, new ActorOptions());
  }

  /** Ends with the input; the node goes on until the process is stopped. */
  private static void countVisits(Callboard callboard) throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String name = input.readLine(); name != null; name = input.readLine()) {
      if (name.matches("[a-z]+")) {
        visit(callboard, name);
      } else {
        System.out.println("a name is one or more letters from a to z");
      }
    }
  }

  private static void visit(Callboard callboard, String name) {
    callboard
        .durableRef("/visitors/" + name, Command.class)
        .ask(new Command.Visit(), Visits.class)
        .onSuccess(visits -> System.out.println(name + ": visit " + visits.count()))
        .onFailure(cause -> System.out.println(name + ": " + cause.getMessage()));
  }
}
