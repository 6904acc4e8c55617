package io.callboard.examples.reference;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.vertx.core.Future;

/** A role: the cell runs one such actor, whichever nodes come and go. */
public final class Timekeeper extends DurableStateActor<Timekeeper.Order, Timekeeper.Rounds> {
  /** The commands. */
  public sealed interface Order {
    /** A round was run. Answered with how many that makes. */
    record Lap(String runner) implements Order {}
  }

  /** The state, and the answer. */
  public record Rounds(long count) {}

  @Override
  protected Rounds initial() {
    return new Rounds(0);
  }

  @Override
  protected void protocol(Protocol<Order> on) {
    on.message(
        Order.Lap.class,
        lap -> {
          update(new Rounds(state().count() + 1));
          reply(state());
        });
  }

  /** Offers the role; called on every node that can hold it. */
  static Future<ActorRef<Order>> onEveryNode(Callboard callboard) {
    return Grid.start(callboard, GridOptions.DEFAULT)
        .compose(grid -> grid.role("timekeeper", Timekeeper::new, new ActorOptions()));
  }

  /** Counts a lap, from any node, whether it can hold the role or not. */
  static Future<Rounds> lap(Grid grid, String runner) {
    ActorRef<Order> timekeeper = grid.roleRef("timekeeper", Order.class);
    return timekeeper.ask(new Order.Lap(runner), Rounds.class);
  }

  /** Returns the name of the holder, as an operator would see it. */
  static Future<String> holder(Grid grid) {
    return grid.roles()
        .map(
            roles ->
                roles.stream()
                    .filter(role -> role.name().equals("timekeeper"))
                    .flatMap(role -> role.holder().stream())
                    .findFirst()
                    .orElse("nobody"));
  }
}
