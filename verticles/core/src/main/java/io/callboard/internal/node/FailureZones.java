package io.callboard.internal.node;

import io.callboard.CallboardException;
import io.callboard.CallboardException.Code;
import io.callboard.admin.FailureZoneStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.ownership.PlacementChecks;
import io.callboard.internal.supervisor.FailureZoneRunner;
import io.callboard.internal.supervisor.RootSupervisor;
import io.callboard.internal.supervisor.Supervised;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.internal.zone.Zones;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Failure zones of this node, by path. Thread-safe. */
final class FailureZones {
  private static final int MOST = 100_000;

  private final NodeContext node;
  private final Zones threads;
  private final RootSupervisor root;
  private final Predicate<ActorPath> isActor;
  private final Map<ActorPath, FailureZoneRunner> zones = new ConcurrentHashMap<>();

  /**
   * @param threads the zones whose threads the supervisors use
   * @param isActor whether an actor of that path is here; any thread
   */
  FailureZones(NodeContext node, Zones threads, RootSupervisor root, Predicate<ActorPath> isActor) {
    this.node = node;
    this.threads = threads;
    this.root = root;
    this.isActor = isActor;
  }

  /** Returns the supervisor for a path: the nearest zone above it, or the root. */
  Supervisor of(ActorPath path) {
    if (zones.isEmpty()) {
      return root;
    }
    for (ActorPath above = path.parent(); above != null; above = above.parent()) {
      FailureZoneRunner zone = zones.get(above);
      if (zone != null) {
        requireRoom(zone);
        return zone;
      }
    }
    return root;
  }

  private static void requireRoom(FailureZoneRunner zone) {
    if (zone.size() >= MOST) {
      throw new CallboardException(
          Code.UNAVAILABLE,
          "failure zone %s has %d children already, which is the most"
              .formatted(zone.path(), MOST));
    }
  }

  @Nullable FailureZoneRunner find(ActorPath path) {
    return zones.get(path);
  }

  /** Returns the status of one zone; empty if it is not here. */
  Optional<FailureZoneStatus> status(ActorPath path) {
    return Optional.ofNullable(zones.get(path)).map(FailureZoneRunner::status);
  }

  /** Starts a failure zone; completes when it runs. */
  Future<Void> supervise(String path, FailureZone policy, SupervisionOptions options) {
    Optional<CallboardException> hindrance = node.hindrance();
    if (hindrance.isPresent()) {
      return Future.failedFuture(hindrance.get());
    }
    FailureZoneRunner zone;
    Supervisor above;
    try {
      ActorPath where = ActorPath.of(path);
      PlacementChecks.checkSpace(where);
      if (isActor.test(where)) {
        throw new CallboardException(Code.PATH_TAKEN, "actor " + where + " runs already");
      }
      above = of(where);
      zone =
          new FailureZoneRunner(
              node.vertx(),
              threads.deployment(ZoneDefaults.SUPERVISION),
              root,
              above,
              where,
              node.node(),
              policy,
              options,
              ended -> zones.remove(ended.path(), ended));
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    if (zones.putIfAbsent(zone.path(), zone) != null) {
      return Future.failedFuture(
          new CallboardException(
              Code.PATH_TAKEN, "there is a failure zone %s already".formatted(zone.path())));
    }
    hindrance = node.hindrance(); // a close may not have seen it
    if (hindrance.isPresent()) {
      CallboardException why = hindrance.get();
      return zone.done().transform(done -> Future.failedFuture(why));
    }
    above.add(zone);
    Promise<Void> up = node.promises().here();
    zone.firstUp().onComplete(up);
    return up.future();
  }

  /** Passes an operator's request on to a zone; empty if there is none at that path. */
  Optional<Future<Void>> ask(ActorPath path, Wish wish) {
    FailureZoneRunner zone = zones.get(path);
    if (zone == null) {
      return Optional.empty();
    }
    return Optional.of(asked(zone.above(), zone, wish));
  }

  /** Changes the policy of a zone. */
  Future<Void> changePolicy(ActorPath path, FailureZone policy) {
    FailureZoneRunner zone = zones.get(path);
    if (zone == null) {
      String what = isActor.test(path) ? "it is an actor" : "nothing has that path";
      return Future.failedFuture(
          new CallboardException(
              Code.NO_SUCH_ACTOR,
              "%s is not a failure zone of node %s: %s".formatted(path, node.node(), what)));
    }
    Promise<Void> changed = node.promises().here();
    zone.policy(policy).onComplete(changed);
    return changed.future();
  }

  /** Request of an operator to an actor or zone. */
  enum Wish {
    RESUME(Supervisor::resume),
    RESTART(Supervisor::restart),
    SUSPEND(Supervisor::suspend);

    private final BiFunction<Supervisor, Supervised, Future<Void>> how;

    Wish(BiFunction<Supervisor, Supervised, Future<Void>> how) {
      this.how = how;
    }
  }

  /** Passes a request on; see the other. */
  static Future<Void> asked(Supervisor supervisor, Supervised child, Wish wish) {
    return asked(supervisor, child, wish, () -> {});
  }

  /**
   * Passes a request on; completes when the supervisor has decided, on any thread, and fails with
   * the obstacle if it cannot be carried out.
   *
   * @param before run before the supervisor gets the request
   */
  static Future<Void> asked(Supervisor supervisor, Supervised child, Wish wish, Runnable before) {
    String hindrance = hindrance(supervisor, child, wish);
    if (hindrance != null) {
      return Future.failedFuture(
          new CallboardException(Code.CONFLICT, "%s %s".formatted(child.label(), hindrance)));
    }
    CallboardException conflict = wish == Wish.SUSPEND ? null : Supervisor.conflict(child);
    if (conflict != null) {
      return Future.failedFuture(conflict);
    }
    before.run();
    return wish.how.apply(supervisor, child);
  }

  private static @Nullable String hindrance(Supervisor supervisor, Supervised child, Wish wish) {
    if (supervisor instanceof FailureZoneRunner zone) {
      ActorPath rests = zone.resting();
      ActorPath absent = wish == Wish.SUSPEND ? null : zone.absent();
      if (rests != null && !zone.path().isWithin(rests)) {
        return "is in failure zone %s, which needs %s, which is stopped or failed: resume that one"
            .formatted(zone.path(), rests);
      } else if (rests != null) {
        return "is in failure zone %s, which is stopped or failed: resume that one"
            .formatted(rests);
      } else if (absent != null) {
        return "is in failure zone %s, which has failed and is started again later: resume that one"
            .formatted(absent);
      }
    }
    return null;
  }

  /**
   * @throws CallboardException {@code PATH_TAKEN} if there is a zone at that path
   */
  void requireNone(ActorPath path) {
    if (zones.containsKey(path)) {
      throw new CallboardException(
          Code.PATH_TAKEN, "there is a failure zone %s already".formatted(path));
    }
  }

  /** Status of all zones, in the order of their paths. */
  List<FailureZoneStatus> status() {
    return zones.values().stream()
        .map(FailureZoneRunner::status)
        .sorted(Comparator.comparing(FailureZoneStatus::path))
        .toList();
  }

  /** Ends all zones with their actors, the outermost in parallel; never fails. */
  Future<Void> close() {
    List<Future<Void>> ends =
        zones.values().stream()
            .filter(zone -> zone.above() == root)
            .map(FailureZoneRunner::done)
            .toList();
    return Future.join(ends).<Void>mapEmpty().otherwiseEmpty();
  }
}
