package io.callboard.grid.cells;

import io.callboard.ActorOptions;
import io.callboard.Callboard;
import io.callboard.DeliveryMode;
import io.callboard.codecs.ActorPath;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Links between cells: an actor of another cell has a path in this one, {@code /cells/<cell>/<its
 * path>}, and a durable ref to that path is used like any other. Messages arrive there exactly once
 * and in order, also after either side was disconnected; while the other cell cannot be reached
 * they wait here, and senders wait when the mailbox is full.
 *
 * <p>Only tells cross, with the type and content of the message. Asks are not answered across
 * cells, and replies, priorities and deadlines are not carried: name in the message the actor to
 * which the answer is to be sent.
 */
public final class Cells {
  static final String DEPARTURES = "/cells";
  static final String ARRIVALS = "/from";

  private Cells() {}

  /**
   * Makes this node carry messages to actors of another cell. At least one node of a cell must do
   * so; several share the work, and each of them must reach the same cells ({@link
   * Callboard#host}).
   *
   * @param here a node of this cell
   * @param name name of this cell, as the other one admits it
   * @param cell the name of the other one in paths
   * @param there a member of the other cell; it need not host anything there, and the caller closes
   *     it, after {@code here}
   * @return as {@link Callboard#host}; fails with {@link IllegalArgumentException} if one of the
   *     names is no segment of a path
   */
  public static Future<Void> reach(Callboard here, String name, String cell, Callboard there) {
    String prefix;
    try {
      String unused = ActorPath.of(ARRIVALS + "/" + name).toString();
      prefix = ActorPath.of(DEPARTURES + "/" + cell).toString();
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    ActorOptions options =
        new ActorOptions()
            .delivery(DeliveryMode.AT_LEAST_ONCE)
            .attempts(Integer.MAX_VALUE)
            .onBus(false);
    Map<ActorPath, OutboundRelay.Sending> sendings = new ConcurrentHashMap<>();
    return here.host(prefix, () -> new OutboundRelay(there, name, prefix, sendings), options);
  }

  /**
   * Makes this node accept messages from another cell for the actors below some paths. Every node
   * that accepts from that cell must name the same paths.
   *
   * @param here a node of this cell
   * @param from the name that the other cell gives itself
   * @param prefixes paths, such as {@code /orders}, of the actors to which the other cell may send;
   *     messages for others wait, and are reported as a finding of the grid
   * @return as {@link #reach}; fails with {@link IllegalArgumentException} without a prefix, or for
   *     one below {@code /from} or {@code /cells}
   */
  public static Future<Void> admit(Callboard here, String from, String... prefixes) {
    List<String> hosted = new ArrayList<>();
    String root;
    try {
      root = ActorPath.of(ARRIVALS + "/" + from).toString();
      for (String prefix : prefixes) {
        String space = "/" + ActorPath.of(prefix).space();
        if (space.equals(ARRIVALS) || space.equals(DEPARTURES)) {
          throw new IllegalArgumentException(
              "%s is reserved for the relay: admit paths of actors".formatted(prefix));
        }
        hosted.add(ActorPath.of(root + prefix).toString());
      }
      if (hosted.isEmpty()) {
        throw new IllegalArgumentException(
            "nothing of cell %s is admitted: name the paths, such as /orders".formatted(from));
      }
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    ActorOptions options = new ActorOptions().onBus(false).attempts(Integer.MAX_VALUE);
    Future<Void> all = Future.succeededFuture();
    for (String prefix : hosted) {
      all = all.compose(v -> here.host(prefix, () -> new InboundRelay(root), options));
    }
    return all;
  }
}
