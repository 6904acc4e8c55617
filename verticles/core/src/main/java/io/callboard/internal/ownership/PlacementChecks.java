package io.callboard.internal.ownership;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.DurableActor;
import io.callboard.codecs.ActorPath;

/** Check that some node could place the actors as asked, before any is started. */
public final class PlacementChecks {
  private PlacementChecks() {}

  /**
   * @param path of the actor, or below which actors are hosted
   * @throws IllegalArgumentException with what would be right
   */
  public static void check(ActorPath path, Actor<?> actor, ActorOptions options) {
    boolean durable = actor instanceof DurableActor;
    String type = actor.getClass().getName();
    if (path.isRole() && !durable) { // of what is not durable each node would run one
      throw new IllegalArgumentException(
          "%s is a role and %s is not durable: extend DurableStateActor or PersistentActor"
              .formatted(path, type));
    } else if (options.requiredLabels().isEmpty()) {
      return;
    } else if (!durable) {
      throw new IllegalArgumentException(
          "%s requires labels, but %s is not durable, and a volatile actor runs where it is spawned"
              .formatted(path, type));
    }
    String role = path.isRole() ? null : path.role().orElse(null);
    if (role != null) {
      throw new IllegalArgumentException(
          "%s requires labels, but it runs where its role is held: let /roles/%s require them"
              .formatted(path, role));
    }
  }
}
