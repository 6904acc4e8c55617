package io.callboard.examples.reference;

import io.callboard.Callboard;
import io.callboard.grid.cells.Cells;
import io.vertx.core.Future;

/** Two cells, {@code north} and {@code south}; orders of the north are delivered in the south. */
public final class Branches {
  private Branches() {}

  /** An order for one shop. */
  public record Order(long number, String what) {}

  /** Connects north and south; called on nodes of the north that are members of both. */
  public static Future<Void> reachSouth(Callboard north, Callboard memberOfSouth) {
    return Cells.reach(north, "north", "south", memberOfSouth);
  }

  /** Lets the north send to the shops only; called on the nodes of the south. */
  public static Future<Void> admitNorth(Callboard south) {
    return Cells.admit(south, "north", "/shops");
  }

  /** Orders from anywhere in the north: it arrives at {@code /shops/7} of the south, once. */
  public static Future<Void> order(Callboard north, Order order) {
    return north.durableRef("/cells/south/shops/7", Order.class).tell(order);
  }
}
