package io.callboard.dashboard.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.zone.ZoneDefaults;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Actors of the toolkit itself: they cannot be stopped, and a node without one of them is degraded.
 */
final class ToolkitActors {
  private ToolkitActors() {}

  static boolean isOne(ActorStatus actor) {
    return actor.zone().equals(ZoneDefaults.TOOLKIT);
  }

  /**
   * Adds those that do not run to {@code degraded} of that body.
   *
   * @param running actors that run here
   * @param expected paths of those that each node has
   */
  static void reportDown(List<ActorStatus> running, List<String> expected, ObjectNode body) {
    Set<String> missing = new TreeSet<>(expected);
    for (ActorStatus actor : running) {
      missing.remove(actor.path().toString());
      if (isOne(actor) && actor.state().needsResume()) {
        String why =
            "it is %s%s; %s"
                .formatted(
                    actor.state(),
                    actor.lastFailure() == null ? "" : ", after " + actor.lastFailure(),
                    remedy(actor));
        report(body, actor.path().toString(), why);
      }
    }
    missing.forEach(path -> report(body, path, "it has stopped permanently; restart the node"));
  }

  private static String remedy(ActorStatus actor) {
    return actor.state() == State.FAILED
        ? "the node retries it by itself, with growing delays"
        : "resume " + (actor.needs() == null ? "it" : actor.needs());
  }

  private static void report(ObjectNode body, String path, String detail) {
    body.withArray("degraded").addObject().put("actor", path).put("detail", detail);
  }
}
