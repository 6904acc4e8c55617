package io.callboard.grid;

import io.callboard.Callboard;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.ActorStatus.State;
import io.callboard.codecs.ActorPath;
import io.callboard.task.BackgroundTasks;
import io.callboard.task.Repetition;
import io.callboard.time.Time;
import io.callboard.zone.ZoneDefaults;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Automatic resumption of this node's hosted and toolkit actors that their supervisor has given up.
 * An object and no actor, so that it cannot be given up itself. An actor that was stopped on
 * purpose stays stopped. A role that can run on another node is first given away, before it is
 * resumed here.
 */
final class FailedActors {
  /** First pause, in scans of the grid. */
  private static final int FIRST = 2;

  private static final int LONGEST = 120;

  /** Maximum number of actors that are looked at, the toolkit's own first. */
  private static final int MOST = 1_000;

  private static final Logger log = LoggerFactory.getLogger(FailedActors.class);

  private final Callboard callboard;
  private final GridOptions options;
  private final Time time;
  private final CrashLoopBackoff backoff;
  private final BackgroundTasks tasks;

  FailedActors(Callboard callboard, GridOptions options) {
    this.callboard = callboard;
    this.options = options;
    this.time = callboard.time();
    this.backoff =
        new CrashLoopBackoff(
            options.scan().multipliedBy(FIRST), options.scan().multipliedBy(LONGEST));
    this.tasks = callboard.tasks("the look for failed actors");
  }

  /** Starts to check for such actors; ends when the node has closed. */
  void start() {
    tasks.repeat(Repetition.every(options.scan()).spread(0.5), this::revive);
  }

  private void revive() {
    Map<ActorPath, String> failures = new HashMap<>(callboard.leases().failed());
    for (ActorStatus actor : callboard.admin().down(MOST).worst()) {
      if (actor.zone().equals(ZoneDefaults.TOOLKIT) && actor.state() == State.FAILED) {
        failures.put(actor.path(), Objects.requireNonNullElse(actor.lastFailure(), ""));
      }
    }
    for (CrashLoopBackoff.Resume again : backoff.look(failures.keySet(), time.nanoTime())) {
      log.warn(
          "{} failed permanently with \"{}\" and is resumed, attempt {}; should it fail again, the next attempt follows after {}",
          again.actor(),
          failures.get(again.actor()),
          again.attempt(),
          again.pause());
      callboard
          .admin()
          .resume(again.actor().toString())
          .onFailure(
              cause -> log.info("{} could not be resumed: {}", again.actor(), cause.getMessage()));
    }
  }
}
