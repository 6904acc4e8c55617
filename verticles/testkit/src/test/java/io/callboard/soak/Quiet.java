package io.callboard.soak;

import io.callboard.Callboard;
import io.callboard.admin.ActorStatus;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.testkit.Futures;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Wait until no failure is under way, and comparison of the state with the specification. */
final class Quiet {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(5);

  private final Callboard callboard;
  private final Tree tree;
  private final Faults faults;
  private Map<ActorPath, ActorStatus> running = Map.of();
  private long checked;

  Quiet(Callboard callboard, Tree tree, Faults faults) {
    this.callboard = callboard;
    this.tree = tree;
    this.faults = faults;
  }

  /** Waits until the tree is quiet; returns how long that took. */
  Duration await() throws Exception {
    long begin = System.nanoTime();
    List<String> differences = List.of("nothing was looked at");
    while (!differences.isEmpty()) {
      if (System.nanoTime() - begin > PATIENCE.toNanos()) {
        throw new AssertionError(
            "no quiet within %s; %d differences, among them%n%s"
                .formatted(
                    PATIENCE,
                    differences.size(),
                    String.join("\n", differences.subList(0, Math.min(20, differences.size())))));
      }
      faults.findings().expectNone();
      expectRest();
      resume();
      differences = differences();
      if (differences.isEmpty()) {
        differences = answers();
      }
      if (!differences.isEmpty()) {
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /**
   * Checks that nothing in a resting zone is shown as running, or as about to be tried again. The
   * reads may belong to two rests with a wait between them, which no figure of the zone's status
   * shows; so a second look has to find the same.
   */
  private void expectRest() throws Exception {
    Map<String, String> found = runsAtRest();
    if (!found.isEmpty()) {
      found.keySet().retainAll(runsAtRest().keySet());
    }
    if (!found.isEmpty()) {
      throw new AssertionError(String.join("\n", found.values()));
    }
  }

  /** Returns what is shown to run in a zone at rest, by its path. */
  private Map<String, String> runsAtRest() throws Exception {
    Map<String, String> found = new HashMap<>();
    Map<ActorPath, AtRest> before = resting();
    List<FailureZoneStatus> zones = callboard.admin().failureZones();
    look();
    before.entrySet().retainAll(resting().entrySet()); // those rested all the time
    for (FailureZoneStatus inner : zones) {
      if (before.containsKey(inner.supervisor()) && inner.nextAttempt() != null) {
        found.put(inner.path().toString(), "%s rests, but %s".formatted(inner.supervisor(), inner));
      }
    }
    for (ActorStatus actor : running.values()) {
      if (before.containsKey(actor.supervisor()) && saysRuns(actor)) {
        found.put(actor.path().toString(), "%s rests, but %s".formatted(actor.supervisor(), actor));
      }
    }
    checked += before.size();
    return found;
  }

  private static boolean saysRuns(ActorStatus actor) {
    return actor.nextAttempt() != null
        || actor.state() == ActorStatus.State.RUNNING
        || actor.state() == ActorStatus.State.STARTING
        || actor.state() == ActorStatus.State.WAITS;
  }

  private Map<ActorPath, AtRest> resting() {
    Map<ActorPath, AtRest> resting = new HashMap<>();
    for (FailureZoneStatus zone : callboard.admin().failureZones()) {
      switch (zone.state()) {
        case FAILED, STOPPED, RESTS -> resting.put(zone.path(), AtRest.of(zone));
        case STARTING, RUNNING, STOPPING, WAITS -> {}
      }
    }
    return resting;
  }

  /**
   * Rest of a zone, as far as two of them differ in its status.
   *
   * @param needs what rests, if that is another one
   */
  private record AtRest(FailureZoneStatus.State state, int restarts, @Nullable ActorPath needs) {
    static AtRest of(FailureZoneStatus zone) {
      return new AtRest(zone.state(), zone.restarts(), zone.needs());
    }
  }

  /** Returns how often a zone was seen at rest. */
  long checked() {
    return checked;
  }

  long restarts() throws Exception {
    look();
    return running.values().stream().mapToLong(ActorStatus::restarts).sum();
  }

  private void look() throws Exception {
    Map<ActorPath, ActorStatus> now = new HashMap<>();
    Futures.await(callboard.admin().running()).forEach(actor -> now.put(actor.path(), actor));
    running = now;
  }

  private void resume() throws Exception {
    faults.resumeZones();
    look();
    for (Part part : tree.parts().values()) {
      ActorStatus now = running.get(part.path);
      if (now == null) {
        spawnAgain(part);
      } else if (now.state() == ActorStatus.State.FAILED
          || now.state() == ActorStatus.State.STOPPED) {
        var unused =
            callboard
                .admin()
                .resume(part.path.toString())
                .otherwiseEmpty(); // it may be gone by now
      }
    }
  }

  private void spawnAgain(Part part) {
    if (part.role == Part.Role.KID || !part.mayBeGone()) {
      return;
    }
    part.anew();
    faults.back(part);
    ActorPath zone = part.path.parent();
    List<ActorPath> order = tree.zones().get(zone);
    order.remove(part.path);
    order.add(part.path);
    var unused = tree.spawn(callboard, part).otherwiseEmpty(); // one that fails is started again
  }

  private List<String> differences() throws Exception {
    List<String> found = new ArrayList<>();
    Set<ActorPath> zones = new HashSet<>();
    for (FailureZoneStatus zone : callboard.admin().failureZones()) {
      zones.add(zone.path());
      if (zone.state() != FailureZoneStatus.State.RUNNING) {
        found.add(zone.path() + " is " + zone.state());
      }
      List<ActorPath> wanted = tree.zones().get(zone.path());
      if (!zone.children().equals(wanted)) {
        found.add(zone.path() + " has other children: " + other(zone.children(), wanted));
      }
    }
    if (!zones.equals(tree.zones().keySet())) {
      found.add("the zones are " + zones);
    }
    look();
    Set<ActorPath> others = new HashSet<>(running.keySet());
    for (Part part : tree.parts().values()) {
      others.remove(part.path);
      compare(part, running.get(part.path), found);
    }
    others.forEach(other -> found.add(other + " is not wanted"));
    return found;
  }

  private static String other(List<ActorPath> found, @Nullable List<ActorPath> wanted) {
    List<ActorPath> missing = new ArrayList<>(wanted == null ? List.of() : wanted);
    missing.removeAll(found);
    List<ActorPath> more = new ArrayList<>(found);
    more.removeAll(wanted == null ? List.of() : wanted);
    return "without %s, with %s, or in another order".formatted(missing, more);
  }

  private static void compare(Part part, @Nullable ActorStatus now, List<String> found) {
    if (now == null || now.state() != ActorStatus.State.RUNNING) {
      found.add(part.path + (now == null ? " is not there" : " is " + told(now, part)));
    } else if (now.queued() > 0) {
      found.add("%s has %d messages to handle".formatted(part.path, now.queued()));
    } else if (part.live() != 1) {
      found.add("%s has %d objects".formatted(part.path, part.live()));
    } else if (part.role != Part.Role.DURABLE && !part.isThrough()) {
      found.add(part.mail());
    }
  }

  private static String told(ActorStatus now, Part part) {
    return "%s, %d objects, %d restarts, next attempt %s, last failure %s at %s"
        .formatted(
            now.state(),
            part.live(),
            now.restarts(),
            now.nextAttempt(),
            now.lastFailure(),
            now.lastFailureAt());
  }

  /** Makes each actor handle a message, which comes after any failure under way. */
  private List<String> answers() throws Exception {
    long before = restarts();
    Map<Part, Future<?>> asked = new HashMap<>();
    for (Part part : tree.parts().values()) {
      Class<?> type = part.role == Part.Role.DURABLE ? Keeper.Kept.class : Integer.class;
      asked.put(part, tree.ref(part).ask(new Cue.Count(), type, Duration.ofSeconds(10)));
    }
    Future<?> unused = Futures.await(Future.join(List.copyOf(asked.values())).otherwiseEmpty());
    List<String> found = new ArrayList<>();
    asked.forEach((part, answer) -> compare(part, answer, found));
    if (before != restarts()) {
      found.add("some were started again meanwhile");
    }
    return found;
  }

  private static void compare(Part part, Future<?> answer, List<String> found) {
    if (answer.failed()) {
      found.add(part.path + " does not answer: " + answer.cause());
    } else if (answer.result() instanceof Keeper.Kept kept) {
      part.committed(kept.count(), kept.sum());
      if (!part.isThrough()) {
        found.add(part.mail());
      }
    }
  }
}
