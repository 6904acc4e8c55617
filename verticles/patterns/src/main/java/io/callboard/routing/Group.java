package io.callboard.routing;

import io.callboard.ActorRef;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A router to actors that it has not started: to given ones, or to the members of a discovered
 * group.
 */
final class Group<M> extends Router<M> {
  private final List<ActorRef<M>> given;
  private final String name;
  private Runnable end = () -> {};

  /**
   * Creates a router to given actors, or to a group.
   *
   * @param name of the discovered group; empty if there is none
   */
  Group(Class<M> protocol, List<ActorRef<M>> given, String name, Routing<M> routing) {
    super(protocol, routing);
    this.given = given;
    this.name = name;
  }

  @Override
  protected Future<?> started() {
    if (name.isEmpty()) {
      are(given);
    } else {
      are(callboard().group(name, messageType()).members());
      end = callboard().group(name, messageType()).listen(this::are);
    }
    return Future.succeededFuture();
  }

  /**
   * Sets the routees: those that stay keep their outstanding messages; a router is not its own
   * routee.
   */
  private void are(List<ActorRef<M>> refs) {
    Map<ActorRef<M>, Routee<M>> before = new HashMap<>();
    routees().forEach(routee -> before.put(routee.ref(), routee));
    routees(
        refs.stream()
            .filter(ref -> !ref.equals(self()))
            .map(ref -> before.getOrDefault(ref, new Routee<>(ref)))
            .toList());
  }

  @Override
  protected Future<?> stopped() {
    end.run();
    return Future.succeededFuture();
  }
}
