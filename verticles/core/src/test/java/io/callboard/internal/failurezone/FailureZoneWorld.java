package io.callboard.internal.failurezone;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.Directive;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.Intensity;
import io.callboard.supervision.LimitAction;
import io.callboard.supervision.Rules;
import io.callboard.supervision.Strategy;
import io.callboard.supervision.SupervisionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A tree of failure zones whose leaves start, stop and fail as a seed says, in a time of its own.
 */
final class FailureZoneWorld {
  private static final long MILLI = 1_000_000;

  /** Milliseconds that the stop of an actor takes at most. */
  private static final int LONGEST_STOP = 4;

  private static final Throwable INTERRUPTION = new IllegalStateException("not there");

  final Random random;
  final Branch root;
  private final int gapMillis;
  final List<Leaf> leaves = new ArrayList<>();
  final List<Branch> branches = new ArrayList<>();
  int faults;
  int escalations;
  int rests;
  int returns;
  int forces;
  int moves;
  private final List<Leaf> away = new ArrayList<>();
  private final Queue<Event> events =
      new PriorityQueue<>(
          Comparator.<Event>comparingLong(event -> event.atNs)
              .thenComparingLong(event -> event.number));
  private long numbers;
  private long nowNs = -5_000 * MILLI; // a monotonic clock may be negative
  private boolean faulty = true;

  private record Event(long atNs, long number, Runnable task) {}

  /** Zones within zones. */
  static FailureZoneWorld deep(long seed) {
    FailureZoneWorld world = new FailureZoneWorld(seed, 20);
    world.grow(world.root, 3, 4);
    return world;
  }

  /** Returns a world with that many zones below the root, each with that many actors. */
  static FailureZoneWorld wide(long seed, int zones, int actors) {
    FailureZoneWorld world = new FailureZoneWorld(seed, 2);
    for (int i = 0; i < zones; i++) {
      Branch zone = world.branch(world.root, world.spec("z" + i));
      for (int j = 0; j < actors; j++) {
        world.leaf(zone, world.spec("c" + j));
      }
    }
    return world;
  }

  /**
   * @param gapMillis between two faults, at most
   */
  private FailureZoneWorld(long seed, int gapMillis) {
    random = new Random(seed);
    this.gapMillis = gapMillis;
    root = branch(null, new Spec("root", new SupervisionOptions()));
  }

  private void grow(Branch branch, int depth, int width) {
    for (int i = 0; i < width; i++) {
      if (depth > 1 && random.nextInt(3) > 0) {
        grow(branch(branch, spec("c" + i)), depth - 1, width);
      } else {
        leaf(branch, spec("c" + i));
      }
    }
  }

  private Branch branch(@Nullable Branch above, Spec spec) {
    Branch branch = new Branch(above, spec, policy());
    branches.add(branch);
    if (above != null) {
      above.below.add(branch);
    }
    return branch;
  }

  private void leaf(Branch above, Spec spec) {
    Leaf leaf = new Leaf(above, spec);
    leaves.add(leaf);
    above.below.add(leaf);
  }

  /** A child and how it is treated. */
  record Spec(String name, SupervisionOptions options) {}

  private Spec spec(String name) {
    SupervisionOptions spec =
        new SupervisionOptions()
            .kind(random.nextInt(3) == 0 ? ChildKind.TRANSIENT : ChildKind.PERMANENT)
            .backoff(
                Backoff.exponential(
                    Duration.ofMillis(1), Duration.ofMillis(200), Backoff.Jitter.FULL))
            .resetAfter(Duration.ofMillis(random.nextInt(500)));
    return new Spec(
        name,
        random.nextInt(4) == 0
            ? spec.intensity(1 + random.nextInt(4), Duration.ofMillis(300))
            : spec);
  }

  private FailureZone policy() {
    LimitAction[] actions = {LimitAction.ESCALATE, LimitAction.ESCALATE, LimitAction.PARK};
    return new FailureZone()
        .strategy(Strategy.values()[random.nextInt(Strategy.values().length)])
        .intensity(new Intensity(random.nextInt(6), Duration.ofMillis(200)))
        .stopTimeout(Duration.ofMillis(5 + random.nextInt(200)))
        .whenOver(actions[random.nextInt(actions.length)])
        .rules(
            Rules.RESTART
                .when(cause -> "park".equals(cause.getMessage()), Directive.PARK)
                .when(cause -> "up".equals(cause.getMessage()), Directive.ESCALATE));
  }

  /** Something that is started and stopped. */
  abstract static class Node {
    final @Nullable Branch above;
    final Spec spec;
    boolean lives;
    boolean up;

    /**
     * True if the status says that the child runs; {@link #hasNextAttempt} is true if it announces
     * a next attempt.
     */
    boolean saysRuns;

    boolean hasNextAttempt;
    @Nullable ChildRest restsFor;

    Node(@Nullable Branch above, Spec spec) {
      this.above = above;
      this.spec = spec;
    }

    abstract void start();

    abstract void stop();

    /** Lets the stop under way wait for nothing; an actor's does not anyway. */
    void force() {}

    final void begins() {
      if (lives) {
        throw new AssertionError(this + " lives already");
      }
      lives = true;
      up = false;
      saysRuns = true;
      hasNextAttempt = false;
    }

    /** Records that the child runs no more, and was told so. */
    final void isDown() {
      saysRuns = false;
      hasNextAttempt = false;
    }

    final List<FailureZoneStep> addedTo(FailureZoneMachine zone, long nowNs) {
      return restsFor == null
          ? zone.add(spec.name(), spec.options(), nowNs)
          : zone.addResting(spec.name(), spec.options(), restsFor, nowNs);
    }

    void isGone() {
      lives = false;
      up = false;
    }

    @Override
    public String toString() {
      return (above == null ? "" : above + "/") + spec.name();
    }
  }

  /** An actor. */
  final class Leaf extends Node {
    private int life;
    private boolean stopping;

    /** True if another node runs the child, out of reach of its zone here. */
    private boolean elsewhere;

    Leaf(Branch above, Spec spec) {
      super(above, spec);
    }

    Branch zone() {
      if (above == null) {
        throw new AssertionError("a leaf is in a zone");
      }
      return above;
    }

    @Override
    void isGone() {
      super.isGone();
      stopping = false;
      elsewhere = false;
    }

    @Override
    void start() {
      begins();
      int mine = ++life;
      boolean fails = faulty && random.nextInt(10) == 0;
      after(
          random.nextInt(5),
          () -> {
            if (mine == life && lives && fails) {
              fail("start");
            } else if (mine == life && lives) {
              up = true;
              zone().did(zone().machine().started(spec.name(), nowNs));
            }
          });
    }

    /** Ends by itself: for good, if it is transient. */
    void end() {
      if (up) {
        faults++;
        life++;
        isGone();
        zone().did(zone().machine().ended(spec.name(), nowNs));
      }
    }

    /** Ends for good, by its program. */
    void remove() {
      if (!zone().below.remove(this)) {
        return;
      }
      life++;
      isGone();
      isDown();
      away.add(this);
      if (zone().lives) {
        zone().did(zone().machine().remove(spec.name(), nowNs));
      }
    }

    /** Starts again, by its program: as the last in the order. */
    void comeBack() {
      returns++;
      zone().below.add(this);
      if (zone().lives) {
        zone().did(addedTo(zone().machine(), nowNs));
      }
    }

    /** Moves to another node, whatever becomes of it here just now. */
    void moveAway() {
      if (!zone().lives || !zone().below.contains(this)) {
        return;
      }
      moves++;
      restsFor = null;
      if (!stopping) {
        life++;
        if (!lives) {
          begins();
        }
        up = true;
        elsewhere = true;
      }
      zone().did(zone().machine().elsewhere(spec.name(), nowNs));
    }

    void interrupt() {
      if (lives) {
        faults++;
        life++;
        isGone();
        zone().did(zone().machine().interrupted(spec.name(), INTERRUPTION, nowNs));
      }
    }

    void fail(String why) {
      if (lives) {
        faults++;
        life++;
        isGone();
        zone().did(zone().machine().failed(spec.name(), new IllegalStateException(why), nowNs));
      }
    }

    @Override
    void stop() {
      up = false; // what fails from now on counts no more
      stopping = true;
      int mine = ++life;
      after(
          random.nextInt(LONGEST_STOP + 1),
          () -> {
            if (mine == life) {
              isGone();
              isDown();
              zone().did(zone().machine().stopped(spec.name(), nowNs));
            }
          });
    }
  }

  /** A failure zone. */
  final class Branch extends Node {
    final List<Node> below = new ArrayList<>();
    final FailureZone policy;
    private @Nullable FailureZoneMachine machine;
    private boolean isToStop;

    /** Time at which its stop is over at the latest, if no actor moves until then. */
    private long overNs;

    private int movesBefore;
    private long nextWakeNs = Long.MIN_VALUE;

    Branch(@Nullable Branch above, Spec spec, FailureZone policy) {
      super(above, spec);
      this.policy = policy;
    }

    FailureZoneMachine machine() {
      if (machine == null) {
        throw new AssertionError(this + " does not live");
      }
      return machine;
    }

    @Override
    void start() {
      begins();
      isToStop = false;
      nextWakeNs = Long.MIN_VALUE;
      FailureZoneMachine fresh = new FailureZoneMachine(policy, random);
      machine = fresh;
      below.forEach(node -> did(node.addedTo(fresh, nowNs)));
      did(fresh.start(nowNs));
    }

    @Override
    void stop() {
      isToStop = true;
      overNs = nowNs + policy.stopTimeout().toNanos() + LONGEST_STOP * MILLI;
      movesBefore = moves;
      did(machine().stop(nowNs));
    }

    @Override
    void force() {
      if (lives && isToStop) {
        did(machine().force(nowNs));
      }
    }

    void did(List<FailureZoneStep> steps) {
      FailureZoneMachine mine = machine();
      for (FailureZoneStep step : steps) {
        if (step instanceof FailureZoneStep.Start start) {
          Node node = node(start.child());
          checkStart(node);
          node.start();
        } else if (step instanceof FailureZoneStep.Stop stop) {
          Node node = node(stop.child());
          checkStop(node);
          node.stop();
        } else if (step instanceof FailureZoneStep.Force force) {
          forces++;
          node(force.child()).force();
        } else if (step instanceof FailureZoneStep.Falls falls) {
          node(falls.child()).isDown();
        } else if (step instanceof FailureZoneStep.Wait wait) {
          node(wait.child()).isDown();
          node(wait.child()).hasNextAttempt = true;
        } else if (step instanceof FailureZoneStep.Retry retry) {
          node(retry.child()).isDown();
          node(retry.child()).hasNextAttempt = true;
        } else if (step instanceof FailureZoneStep.Needs needs) {
          checkNeeds(node(needs.child()), needs.resting());
        } else if (step instanceof FailureZoneStep.Resumed resumed) {
          node(resumed.child()).restsFor = null;
        } else if (step instanceof FailureZoneStep.Done done) {
          Node node = node(done.child());
          node.isDown();
          below.remove(node);
          away.add((Leaf) node);
        } else if (step instanceof FailureZoneStep.Rest rest) {
          rests++;
          Node node = node(rest.child());
          node.restsFor = new ChildRest(rest.why(), rest.asked());
          node.hasNextAttempt = false;
          node.saysRuns &= node.lives;
        } else if (step instanceof FailureZoneStep.Up) {
          up = true;
          tellAbove(zone -> zone.started(spec.name(), nowNs));
        } else {
          gone(step);
        }
      }
      if (machine == mine && lives) {
        mine.wakeNs(nowNs).ifPresent(at -> wake(mine, at));
      }
    }

    private void wake(FailureZoneMachine mine, long atNs) {
      if (nextWakeNs > nowNs && nextWakeNs <= atNs) {
        return;
      }
      nextWakeNs = atNs;
      at(
          atNs,
          () -> {
            if (machine == mine && lives) {
              did(mine.tick(nowNs));
            }
          });
    }

    private void gone(FailureZoneStep step) {
      for (Node node : below) {
        if (node.lives) {
          throw new AssertionError("%s says %s, but %s lives".formatted(this, step, node));
        } else if (node.saysRuns) {
          throw new AssertionError("%s says %s, but %s that it runs".formatted(this, step, node));
        }
        node.hasNextAttempt = false;
      }
      if (isToStop && nowNs > overNs && moves == movesBefore) {
        throw new AssertionError("%s says %s after its time".formatted(this, step));
      }
      isGone();
      isDown();
      if (isToStop) {
        tellAbove(zone -> zone.stopped(spec.name(), nowNs));
      } else if (step instanceof FailureZoneStep.Escalate up) {
        escalations++;
        if (above == null) {
          after(10, this::start);
        }
        tellAbove(zone -> zone.failed(spec.name(), up.cause(), nowNs));
      } else if (step instanceof FailureZoneStep.RestAll all) {
        rests++;
        if (above == null) {
          after(10, this::start);
        }
        tellAbove(zone -> zone.rests(spec.name(), all.why(), nowNs));
      } else {
        throw new AssertionError("%s: %s was not asked for".formatted(this, step));
      }
    }

    private void tellAbove(
        java.util.function.Function<FailureZoneMachine, List<FailureZoneStep>> what) {
      if (above != null) {
        above.did(what.apply(above.machine()));
      }
    }

    private void checkNeeds(Node node, @Nullable String resting) {
      if (resting != null && node(resting).restsFor == null) {
        throw new AssertionError("%s needs %s, which does not rest".formatted(node, resting));
      } else if (resting != null) {
        node.hasNextAttempt = false;
      }
    }

    private Node node(String name) {
      return below.stream().filter(each -> each.spec.name().equals(name)).findFirst().orElseThrow();
    }

    /**
     * Checks that, where children need each other, all before the child run and none behind it is
     * there.
     */
    private void checkStart(Node node) {
      if (policy.strategy() == Strategy.ONE_FOR_ONE) {
        return;
      }
      int place = below.indexOf(node);
      for (Node later : below.subList(place + 1, below.size())) {
        if (later.lives && !(later instanceof Leaf leaf && leaf.elsewhere)) {
          throw new AssertionError("%s starts before the end of %s".formatted(node, later));
        }
      }
      for (Node earlier : below.subList(0, place)) {
        if (!earlier.up) {
          throw new AssertionError("%s starts before %s is up".formatted(node, earlier));
        }
      }
    }

    private void checkStop(Node node) {
      if (!node.lives) {
        throw new AssertionError(node + " is stopped, but does not live");
      }
    }
  }

  void after(long millis, Runnable task) {
    at(nowNs + millis * MILLI, task);
  }

  private void at(long ns, Runnable task) {
    events.add(new Event(Math.max(ns, nowNs), numbers++, task));
  }

  /** Starts the tree and lets that many faults happen. */
  void play(int count) {
    root.start();
    String[] whys = {"crash", "crash", "crash", "crash", "crash", "crash", "crash", "park", "up"};
    while (faults < count) {
      run(nowNs + (long) (random.nextDouble() * gapMillis * MILLI));
      Leaf leaf = leaves.get(random.nextInt(leaves.size()));
      int what = random.nextInt(23);
      if (!away.isEmpty() && random.nextInt(4) == 0) {
        away.remove(random.nextInt(away.size())).comeBack();
      } else if (what == 20) {
        leaf.end();
      } else if (what == 21 && random.nextInt(4) == 0) {
        leaf.remove();
      } else if (what == 22) {
        leaf.moveAway();
      } else if (!leaf.up) {
        resumeOne();
      } else if (what == 0) {
        leaf.interrupt();
      } else if (what == 1) {
        leaf.zone().did(leaf.zone().machine().suspend(leaf.spec.name(), nowNs));
      } else if (what == 2) {
        leaf.zone().did(leaf.zone().machine().restart(leaf.spec.name(), nowNs));
      } else {
        leaf.fail(whys[random.nextInt(whys.length)]);
      }
    }
  }

  /** An operator resumes somebody that rests. */
  private void resumeOne() {
    Branch branch = branches.get(random.nextInt(branches.size()));
    if (branch.lives) {
      resting(branch)
          .ifPresent(node -> branch.did(branch.machine().resume(node.spec.name(), nowNs)));
    }
  }

  private static Optional<Node> resting(Branch branch) {
    return branch.below.stream()
        .filter(node -> branch.machine().restsNow(node.spec.name()))
        .findFirst();
  }

  /** Ends the faults, resumes all that rests, and waits until everything has settled. */
  void quiet() {
    faulty = false;
    List.copyOf(away).forEach(Leaf::comeBack);
    away.clear();
    boolean goesOn = true;
    while (goesOn) {
      run(Long.MAX_VALUE);
      goesOn = false;
      for (Branch branch : List.copyOf(branches)) {
        Optional<Node> rests = branch.lives ? resting(branch) : Optional.empty();
        if (rests.isPresent()) {
          branch.did(branch.machine().resume(rests.get().spec.name(), nowNs));
          goesOn = true;
        }
      }
    }
  }

  private void run(long untilNs) {
    for (Event next = events.peek(); next != null && next.atNs <= untilNs; next = events.peek()) {
      events.remove();
      nowNs = next.atNs;
      next.task.run();
    }
    if (untilNs != Long.MAX_VALUE) {
      nowNs = Math.max(nowNs, untilNs);
    }
  }
}
