package io.callboard.dashboard.internal.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.admin.CallboardAdmin;
import io.callboard.codecs.ActorPath;
import io.callboard.zone.ZoneDefaults;
import java.util.List;

/**
 * Actors of the toolkit itself: they cannot be stopped, and a node without one of them is degraded.
 * They are shown and counted apart from those of the application.
 */
public final class ToolkitActors {
  private static final int MOST = 1_000;

  private ToolkitActors() {}

  /** Returns whether an actor is one of the toolkit. */
  public static boolean isOne(ActorStatus actor) {
    return actor.zone().equals(ZoneDefaults.TOOLKIT);
  }

  /**
   * Adds the expected actors that do not run to {@code degraded} of a body.
   *
   * @param expected paths of those that each node has
   */
  public static void reportDown(CallboardAdmin admin, List<String> expected, ObjectNode body) {
    for (ActorStatus actor : admin.down(MOST).worst()) {
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
    expected.stream()
        .distinct()
        .sorted()
        .filter(path -> admin.running(ActorPath.of(path)).isEmpty())
        .forEach(path -> report(body, path, "it has stopped permanently; restart the node"));
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
