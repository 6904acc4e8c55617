package io.callboard.grid;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Backoff;
import io.callboard.time.Machine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Schedule for resuming actors that their supervisor has given up: after a pause that doubles each
 * time, up to a longest one, and starts over once the actor has run well for that long. No I/O, no
 * clock.
 */
@Machine
final class CrashLoopBackoff {
  /** Maximum number of actors resumed at one look; the rest are resumed at the next looks. */
  static final int MOST = 20;

  private final Duration first;
  private final Duration longest;
  private final Map<ActorPath, Loop> loops = new HashMap<>();

  /** Crash loop of one actor. */
  private static final class Loop {
    private int attempts;
    private boolean down;

    /**
     * Time at which the actor is to be resumed or, while it runs, at which it has run well for long
     * enough.
     */
    private long atNs;
  }

  /**
   * Decision to resume an actor.
   *
   * @param attempt number of the attempt, from 1
   * @param pause time until the next attempt, should it be given up again
   */
  record Resume(ActorPath actor, int attempt, Duration pause) {}

  CrashLoopBackoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
  }

  /**
   * Returns the actors that are due to be resumed.
   *
   * @param down actors that are given up now
   */
  List<Resume> look(Collection<ActorPath> down, long nowNs) {
    well(down, nowNs);
    List<Resume> due = new ArrayList<>();
    for (ActorPath actor : down) {
      Loop loop = loops.computeIfAbsent(actor, path -> new Loop());
      if (!loop.down) {
        loop.down = true;
        loop.atNs = nowNs + pause(loop.attempts).toNanos();
      } else if (nowNs - loop.atNs >= 0 && due.size() < MOST) {
        loop.attempts++;
        Duration pause = pause(loop.attempts);
        loop.atNs = nowNs + pause.toNanos();
        due.add(new Resume(actor, loop.attempts, pause));
      }
    }
    return due;
  }

  private void well(Collection<ActorPath> down, long nowNs) {
    loops
        .entrySet()
        .removeIf(
            entry -> {
              Loop loop = entry.getValue();
              if (down.contains(entry.getKey())) {
                return false;
              }
              if (loop.down) {
                loop.down = false;
                loop.atNs = nowNs + longest.toNanos();
              }
              return nowNs - loop.atNs >= 0;
            });
  }

  private Duration pause(int attempts) {
    return Backoff.exponential(first, longest).longest(attempts + 1);
  }
}
