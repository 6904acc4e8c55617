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
 * Cells side by side: an actor of another cell has a path in this one, {@code /cells/<cell>/<its
 * path>}, and a durable ref to that is used as any other. What it is told arrives there exactly
 * once and in order, after cuts of either side as well; while the other cell cannot be reached it
 * waits here, and senders of a full mailbox wait with it.
 *
 * <p>A tell crosses, with the type and content of its message. An ask is not answered across cells,
 * nor are replies, priorities and deadlines carried: name in the message to whom the answer is to
 * be told.
 */
public final class Cells {
  static final String DEPARTURES = "/cells";
  static final String ARRIVALS = "/from";

  private Cells() {}

  /**
   * Lets this node carry what is told to actors of another cell. At least one node of a cell does;
   * several share the work, and each of them reaches the same cells ({@link Callboard#host}).
   *
   * @param here a node of this cell
   * @param name of this cell, as the other one admits it
   * @param cell the name of the other one in paths
   * @param there a member of the other cell; it need not host anything there, and stays the
   *     caller's to close, after {@code here}
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
   * Lets this node take (each that does, the same) what comes from another cell, for the actors
   * below some paths.
   *
   * @param here a node of this cell
   * @param from the name that the other cell gives itself
   * @param prefixes of the paths of actors that the other cell may tell, for example {@code
   *     /orders}; what is for others waits, and is told as a finding of the grid
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
