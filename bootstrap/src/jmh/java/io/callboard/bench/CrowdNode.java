package io.callboard.bench;

import io.callboard.ActorOptions;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Scanner;

/** A JVM that shares {@link Capacity}'s durable actors with others of its kind. */
final class CrowdNode {
  static final String PREFIX = "/crowd/of";

  /** Time after which an actor without mail is passivated. */
  static final Duration PASSIVATE_AFTER = Duration.ofSeconds(3);

  record Add(long amount) {}

  record Total(long amount) {}

  private static final class Sum extends DurableStateActor<Add, Total> {
    @Override
    protected Total initial() {
      return new Total(0);
    }

    @Override
    protected void protocol(Protocol<Add> on) {
      on.message(
          Add.class,
          add -> {
            update(new Total(state().amount() + add.amount()));
            reply(state());
          });
    }
  }

  private CrowdNode() {}

  /**
   * Answers {@code heap} with the bytes in use, {@code awake} with the actors in memory.
   *
   * @param arguments the servers, and the node's name
   */
  public static void main(String[] arguments) throws Exception {
    Node node = Node.clustered(arguments[0], arguments[1]);
    var grid = Node.await(Grid.start(node.callboard(), GridOptions.DEFAULT));
    ActorOptions options = new ActorOptions().passivateAfter(PASSIVATE_AFTER);
    var unused = Node.await(node.callboard().host(PREFIX, Sum::new, options));
    Child.say("ready");
    Scanner orders = new Scanner(System.in, StandardCharsets.UTF_8);
    while (orders.hasNextLine()) {
      String order = orders.nextLine();
      if (order.equals("heap")) {
        Child.say("heap " + Heap.used());
      } else if (order.equals("awake")) {
        Child.say("awake " + awake(node));
      }
    }
    Runtime.getRuntime().halt(grid == null ? 1 : 0);
  }

  private static long awake(Node node) throws Exception {
    return Node.await(node.callboard().admin().running()).stream()
        .filter(actor -> actor.path().toString().startsWith(PREFIX))
        .count();
  }
}
