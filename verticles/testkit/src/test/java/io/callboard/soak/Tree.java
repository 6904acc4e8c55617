package io.callboard.soak;

import static io.callboard.testkit.Futures.await;

import io.callboard.Actor;
import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.supervision.Backoff;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import io.callboard.zone.ZoneDefaults;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Specification of the tree, derived from the seed: 10 outer zones, each with 9 inner ones and
 * actors of its own, 100 actors to a zone including those that actors start.
 */
final class Tree {
  static final int START_MILLIS = 400;
  private static final int OUTER = 10;
  private static final int INNER = 9;
  private static final int ACTORS = 95;
  private static final int KIDS = 5;
  private static final int DURABLE = 2;
  private static final int BLOCKING = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Backoff SOON =
      Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(50), Backoff.Jitter.FULL);
  private static final Rules RESUMES = Rules.RESTART.on(Fault.Resumable.class, Directive.RESUME);
  private static final Rules ESCALATES = RESUMES.on(Fault.Escalating.class, Directive.ESCALATE);

  private final SplittableRandom random;
  private final Findings findings;

  /** The children of each zone in their order, all by their paths. */
  private final Map<ActorPath, List<ActorPath>> zones = new LinkedHashMap<>();

  private final Map<ActorPath, Part> parts = new LinkedHashMap<>();
  private final Map<ActorPath, List<Part>> kids = new LinkedHashMap<>();
  private final Map<ActorPath, ActorRef<Cue>> refs = new LinkedHashMap<>();

  Tree(long seed, Findings findings) {
    this.random = new SplittableRandom(seed);
    this.findings = findings;
  }

  Map<ActorPath, List<ActorPath>> zones() {
    return zones;
  }

  /** Returns all actors, including those that actors start. */
  Map<ActorPath, Part> parts() {
    return parts;
  }

  ActorRef<Cue> ref(Part part) {
    return refs.get(part.path);
  }

  /**
   * Keeps nothing of the node but the ref of an actor of an inner zone, as a user's code may: one
   * that has a restart budget of its own, which its supervisor knows.
   */
  ActorRef<Cue> forget() {
    ActorPath inner = ActorPath.of("/zone0/inner0");
    Part part =
        parts.values().stream()
            .filter(each -> inner.equals(each.path.parent()))
            .filter(each -> each.role == Part.Role.VOLATILE)
            .filter(each -> each.options.intensity().isPresent())
            .findFirst()
            .orElseThrow();
    ActorRef<Cue> kept = ref(part);
    refs.clear();
    return kept;
  }

  void build(Callboard callboard) throws Exception {
    for (int outer = 0; outer < OUTER; outer++) {
      ActorPath path = ActorPath.of("/zone" + outer);
      supervise(callboard, path, outerPolicy(outer));
      fill(callboard, path);
      for (int inner = 0; inner < INNER; inner++) {
        ActorPath below = path.child("inner" + inner);
        supervise(callboard, below, innerPolicy(outer + inner));
        zones.get(path).add(below);
        fill(callboard, below);
      }
    }
  }

  private void supervise(Callboard callboard, ActorPath path, FailureZone policy) throws Exception {
    zones.put(path, new ArrayList<>());
    await(callboard.supervise(path.toString(), policy, new SupervisionOptions().backoff(SOON)));
  }

  /**
   * Returns the policy of an outer zone: it rests when over its limit, and never escalates, as that
   * would close the node.
   */
  private FailureZone outerPolicy(int index) {
    return new FailureZone()
        .strategy(strategy(index))
        .rules(RESUMES)
        .intensity(random.nextInt(50, 200), Duration.ofSeconds(1))
        .whenOver(LimitAction.PARK);
  }

  private FailureZone innerPolicy(int index) {
    return new FailureZone()
        .strategy(strategy(index))
        .rules(ESCALATES)
        .intensity(random.nextInt(5, 40), Duration.ofMillis(random.nextInt(200, 2000)))
        .whenOver(random.nextInt(4) == 0 ? LimitAction.PARK : LimitAction.ESCALATE);
  }

  private static Strategy strategy(int index) {
    return Strategy.values()[index % Strategy.values().length];
  }

  private void fill(Callboard callboard, ActorPath zone) throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < ACTORS; i++) {
      Part.Role role =
          i < DURABLE ? Part.Role.DURABLE : i == DURABLE ? Part.Role.PARENT : Part.Role.VOLATILE;
      String where = i >= ACTORS - BLOCKING ? ZoneDefaults.BLOCKING : ZoneDefaults.DEFAULT;
      Part part = part(zone.child("a" + i), role, where, supervision(role));
      zones.get(zone).add(part.path);
      if (role == Part.Role.PARENT) {
        addKids(callboard, part);
      }
      Future<?> up = spawn(callboard, part);
      if (role == Part.Role.DURABLE) {
        var unused = await(up); // then it is before those that follow
      }
      all.add(up);
    }
    await(Future.all(all));
  }

  private void addKids(Callboard callboard, Part parent) {
    List<Part> all = new ArrayList<>();
    for (int i = 0; i < KIDS; i++) {
      SupervisionOptions options = new SupervisionOptions().backoff(SOON).rules(ESCALATES);
      Part kid = part(parent.path.child("kid" + i), Part.Role.KID, ZoneDefaults.DEFAULT, options);
      refs.put(kid.path, callboard.ref(kid.path.toString(), Cue.class));
      all.add(kid);
    }
    kids.put(parent.path, all);
  }

  private Part part(ActorPath path, Part.Role role, String where, SupervisionOptions options) {
    Part part = new Part(path, role, where, options, findings);
    parts.put(path, part);
    return part;
  }

  private SupervisionOptions supervision(Part.Role role) {
    SupervisionOptions options = new SupervisionOptions().backoff(SOON);
    int choice = random.nextInt(10);
    if (choice == 0) {
      options = options.kind(ChildKind.PERMANENT);
    } else if (choice == 1 && role == Part.Role.VOLATILE) {
      options = options.kind(ChildKind.TEMPORARY);
    }
    return switch (random.nextInt(5)) {
      case 0 -> options.intensity(3, Duration.ofSeconds(2)).whenOver(LimitAction.PARK);
      case 1 -> options.intensity(5, Duration.ofSeconds(2));
      default -> options;
    };
  }

  Future<?> spawn(Callboard callboard, Part part) {
    List<Part> below = kids.getOrDefault(part.path, List.of());
    if (part.role == Part.Role.DURABLE) {
      return spawned(callboard, part, () -> new Keeper(part, findings));
    }
    return spawned(callboard, part, () -> new Player(part, below, findings));
  }

  private Future<?> spawned(
      Callboard callboard, Part part, Supplier<? extends Actor<Cue>> factory) {
    Future<ActorRef<Cue>> spawned = callboard.spawn(part.path.toString(), factory, options(part));
    refs.put(
        part.path,
        part.role == Part.Role.DURABLE
            ? callboard.durableRef(part.path.toString(), Cue.class)
            : callboard.ref(part.path.toString(), Cue.class));
    return spawned;
  }

  static ActorOptions options(Part part) {
    return new ActorOptions()
        .zone(part.zone)
        .startTimeout(Duration.ofMillis(START_MILLIS))
        .turnTimeout(Duration.ofMillis(100))
        .attempts(1000)
        .onBus(false)
        .supervision(part.options);
  }
}
