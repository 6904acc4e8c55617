package io.callboard.internal.ownership;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.DurableActor;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.CallSite;
import java.util.List;

/** Check that some node could place the actors as asked, before any is started. */
public final class PlacementChecks {
  private static final String TOOLKIT = "io.callboard.";

  /** Spaces of Callboard's own, in which nothing else is. */
  private static final List<String> OWN_SPACES =
      List.of("callboard", "cells", "from", "grid", "jobs", "sources", "workflows");

  private PlacementChecks() {}

  /**
   * Checks that the path is not in a space of Callboard's own, unless what is to be there is.
   *
   * @param type the class of what is to be there
   */
  public static void checkSpace(ActorPath path, Class<?> type) {
    checkSpace(path, type.getName(), type.getName());
  }

  /**
   * Checks that a failure zone is not in a space of Callboard's own, unless Callboard's own code
   * has called.
   */
  public static void checkSpace(ActorPath zone) {
    if (OWN_SPACES.contains(zone.space())) {
      StackTraceElement caller = CallSite.find().orElse(null);
      String owner = caller == null ? TOOLKIT : caller.getClassName();
      checkSpace(zone, owner, "a failure zone of " + caller);
    }
  }

  private static void checkSpace(ActorPath path, String owner, String what) {
    if (OWN_SPACES.contains(path.space()) && !owner.startsWith(TOOLKIT)) {
      throw new IllegalArgumentException(
          "%s is in a space of Callboard's own (/%s), where %s cannot be: choose another path"
              .formatted(path, String.join(", /", OWN_SPACES), what));
    }
  }

  /**
   * @param path of the actor, or below which actors are hosted
   * @throws IllegalArgumentException with what would be right
   */
  public static void check(ActorPath path, Actor<?> actor, ActorOptions options) {
    checkSpace(path, actor.getClass());
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
