package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogEvent;
import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.internal.world.Witness;
import io.callboard.testkit.internal.world.Worlds;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A gate with a small window and the backlogs of its types, played from one seed: messages between
 * them are durable, each in the order of its sender, and late. What the window and the backlogs
 * decide is real. Some jobs have a label with a limit, and some require a host that comes and goes:
 * whenever no message is under way, none waits in a backlog that may start, and of those that
 * others were pulled past enough wait in the window. {@code -Dcallboard.rehearsal.seed=17} plays
 * that world alone; the nightly form plays {@code -Dcallboard.rehearsal.worlds=100000}, from that
 * seed on.
 */
class BacklogRehearsalTest {
  private static final Instant EPOCH = Instant.parse("2026-11-25T00:00:00Z");
  private static final int WINDOW = 40;
  private static final int SEEDS = 60;

  /** A flaw shows in some of them. */
  private static final int FLAWED = 300;

  /** Slots of host h, which any job may fill that requires nothing. */
  private static final int SLOTS = 6;

  /** Slots of host g, more than all types may have runs. */
  private static final int MANY_SLOTS = 20;

  /** What host g offers and some jobs require. */
  private static final Map<String, String> GPU = Map.of("gpu", "yes");

  private static final List<String> TYPES = List.of("a", "b", "c");
  private static final int PRIORITIES = 3;

  /** Messages that a backlog receives at once: more than are sent meanwhile. */
  private static final int MAIL = 40;

  /** Limits by label; a job has one of these labels at most. */
  private static final Map<String, Integer> LIMITS = Map.of("customer=c0", 1, "customer=c1", 2);

  /** Flaw of a window, with which the rules must break. */
  private enum Flaw {
    NONE(0, "no rule"),
    /** Runs that a limit blocks keep others of their type and priority from being pulled. */
    COUNTS_BLOCKED(1, ".*may start"),
    /** The gate forgets the lanes that were left out. */
    FORGETS_LANES(1, ".*is left out"),
    /** Runs that no host offers what they require keep others from being pulled. */
    COUNTS_UNOFFERED(0, ".*may start");

    private final Witness witness;

    Flaw(long seed, String rule) {
      witness = new Witness(seed, rule);
    }
  }

  /** Rule that is broken. */
  private static final class Broken extends AssertionError {
    private static final long serialVersionUID = 1L;

    Broken(String what) {
      super(what);
    }
  }

  private final Map<String, BacklogState> backlogs = new HashMap<>();
  private final Map<String, BacklogIndex> indexes = new HashMap<>();
  private final Map<String, Deque<BacklogCommand>> toBacklogs = new TreeMap<>();
  private final Map<String, Deque<GateCommand>> toGate = new TreeMap<>();
  private final Set<String> open = new HashSet<>();
  private final List<String> granted = new ArrayList<>();
  private final Map<String, Long> lastOfClass = new HashMap<>();
  private SplittableRandom random = new SplittableRandom(0);
  private GateState state = GateState.empty();
  private GateMachine machine = new GateMachine(WINDOW);
  private Instant now = EPOCH;
  private Flaw flaw = Flaw.NONE;
  private long seed;

  /** Types and priorities of the jobs: the fewer, the more are alike. */
  private int types;

  private int priorities;

  /** Whether host g takes runs. */
  private boolean gpu;

  private int kept;
  private int rests;
  private int passed;
  private int unoffered;

  private void play(long its) {
    seed = its;
    random = new SplittableRandom(seed);
    types = 1 + random.nextInt(TYPES.size());
    // a pull that this flaw leaves out would be in the way of one of another priority
    priorities = 1 + random.nextInt(flaw == Flaw.COUNTS_UNOFFERED ? 1 : PRIORITIES);
    int slots = 1 + random.nextInt(3);
    for (String type : TYPES) {
      state =
          state.apply(
              new GateEvent.TypePut(
                  new JobType(type, "process", slots, false, RetryPolicy.ONCE), null));
      backlogs.put(type, BacklogState.EMPTY);
      toBacklogs.put(type, new ArrayDeque<>());
      toGate.put(type, new ArrayDeque<>());
      indexes.put(type, new BacklogIndex(BacklogState.EMPTY));
    }
    LIMITS.forEach((label, running) -> happened(new GateEvent.LimitPut(label, running)));
    gpu = random.nextBoolean();
    hosts(machine);
    int jobs = 300;
    for (int job = 0; job < jobs; job++) {
      enqueue("j" + job);
      if (random.nextInt(6) == 0) {
        step(true);
      }
    }
    for (int i = 0; i < 20_000 && !open.isEmpty(); i++) {
      step(false);
    }
    assertThat(open).as("seed %d: nothing is left waiting", seed).isEmpty();
    assertThat(granted).as("seed %d: each goes once", seed).doesNotHaveDuplicates();
  }

  private void enqueue(String job) {
    String type = TYPES.get(random.nextInt(types));
    boolean later = random.nextInt(10) == 0;
    int customer = random.nextInt(4);
    Map<String, String> labels = customer < 2 ? Map.of("customer", "c" + customer) : Map.of();
    Map<String, String> requires = random.nextInt(3) == 0 ? GPU : Map.of();
    GateCommand.Enqueue e =
        new GateCommand.Enqueue(
            job,
            1,
            type,
            random.nextInt(priorities) * 4,
            now,
            later ? now.plusSeconds(random.nextInt(200)) : null,
            null,
            labels,
            requires);
    open.add(job);
    if (machine.isFull(state, e, now)) {
      long number = state.enqueued() + 1;
      WaitingRun waiting =
          new WaitingRun(1, type, e.priority(), now, e.notBefore(), null, number, labels, requires);
      happened(new GateEvent.Kept(type, e.priority()));
      toBacklog(type, new BacklogCommand.Keep(job, waiting));
      kept++;
    } else {
      happened(
          new GateEvent.Enqueued(
              job, 1, type, e.priority(), now, e.notBefore(), null, labels, requires));
    }
    grant();
  }

  private void toBacklog(String type, BacklogCommand command) {
    mail(toBacklogs, type).add(command);
  }

  private static <T> Deque<T> mail(Map<String, Deque<T>> all, String type) {
    return all.computeIfAbsent(type, t -> new ArrayDeque<>());
  }

  private void happened(GateEvent event) {
    GateState before = state;
    state = state.apply(event);
    machine.apply(before, event, state);
  }

  private void step(boolean withdrawals) {
    now = now.plusMillis(500);
    for (String type : TYPES) {
      Deque<BacklogCommand> mail = mail(toBacklogs, type);
      int delivered = random.nextInt(3) == 0 ? MAIL : 0;
      for (int i = 0; i < delivered && !mail.isEmpty(); i++) {
        backlog(type, mail.remove());
      }
      if (indexes.get(type).becomeDue(backlogs.get(type), now)) {
        reply(type, new GateCommand.Stock(type, indexes.get(type).stock(backlogs.get(type))));
      }
      Deque<GateCommand> answers = mail(toGate, type);
      if (!answers.isEmpty() && random.nextInt(3) == 0) {
        gate(answers.remove());
      }
    }
    if (random.nextInt(100) == 0) {
      machine = new GateMachine(WINDOW);
      hosts(machine);
    }
    if (random.nextInt(40) == 0) {
      gpu = !gpu;
      hosts(machine);
    }
    if (withdrawals && random.nextInt(20) == 0 && !open.isEmpty()) {
      withdraw(List.copyOf(open).get(random.nextInt(open.size())));
    }
    for (String job : List.copyOf(state.handles().keySet())) {
      if (random.nextInt(3) == 0) {
        happened(new GateEvent.Released(job, 1));
      }
    }
    grant();
    TYPES.subList(0, types).forEach(this::rest);
  }

  /** Checks what must hold of a type when no message is under way. */
  private void rest(String type) {
    if (!mail(toBacklogs, type).isEmpty() || !mail(toGate, type).isEmpty()) {
      return;
    }
    rests++;
    boolean room = state.waiting().size() < WINDOW + WINDOW / Window.LAST;
    boolean free =
        (gpu || on("h").size() < SLOTS) && ofType(type) < state.types().get(type).limit();
    firsts(type)
        .forEach(
            (job, run) -> {
              boolean blocked = isBlocked(run);
              rule(!room || !free || blocked, "%s waits in the backlog and may start", job);
              rule(enoughWait(run), "%s is left out, and too few like it wait", job);
              passed += room && free && blocked ? 1 : 0;
              unoffered += room && free && isUnoffered(run) ? 1 : 0;
            });
  }

  /** Returns the first run of each priority, label and requirement, of those that never waited. */
  private Map<String, WaitingRun> firsts(String type) {
    Map<String, WaitingRun> runs = backlogs.get(type).runs();
    Map<String, String> jobs = new HashMap<>();
    runs.forEach(
        (job, run) -> {
          if (run.notBefore() == null) {
            jobs.merge(
                run.priority() + " " + run.labels() + run.requires(),
                job,
                (a, b) -> runs.get(a).number() < runs.get(b).number() ? a : b);
          }
        });
    Map<String, WaitingRun> firsts = new TreeMap<>();
    jobs.values().forEach(job -> firsts.put(job, runs.get(job)));
    return firsts;
  }

  private long ofType(String type) {
    return state.handles().values().stream().filter(it -> it.type().equals(type)).count();
  }

  /** Returns the jobs with handles on a host. */
  private Set<String> on(String host) {
    Set<String> jobs = new HashSet<>();
    state
        .handles()
        .forEach(
            (job, handle) -> {
              if (handle.host().equals(host)) {
                jobs.add(job);
              }
            });
    return jobs;
  }

  private boolean isBlocked(WaitingRun run) {
    return isUnoffered(run) || isLimited(run);
  }

  private boolean isUnoffered(WaitingRun run) {
    return !run.requires().isEmpty() && !gpu;
  }

  private boolean isLimited(WaitingRun run) {
    return LIMITS.entrySet().stream()
        .anyMatch(
            limit ->
                counts(run.labels(), limit.getKey())
                    && state.handles().values().stream()
                            .filter(it -> it.labels() != null)
                            .filter(it -> counts(it.labels(), limit.getKey()))
                            .count()
                        >= limit.getValue());
  }

  private static boolean counts(Map<String, String> labels, String label) {
    return labels.entrySet().stream().anyMatch(l -> label.equals(l.getKey() + "=" + l.getValue()));
  }

  /**
   * Returns whether enough like it wait in the window, or no others were pulled past it: of those
   * that no limit counts and that require nothing none that waits there was enqueued later. One
   * that has both a label and a requirement is in the lane of the one, the other, or both, as the
   * last pull has named them: of those nothing is said.
   */
  private boolean enoughWait(WaitingRun run) {
    List<WaitingRun> ofClass =
        state.waiting().values().stream()
            .filter(it -> it.type().equals(run.type()) && it.priority() == run.priority())
            .filter(it -> it.notBefore() == null || !it.notBefore().isAfter(now))
            .toList();
    int few = state.waiting().size() < WINDOW ? WINDOW / 10 : Window.RESERVED;
    boolean ofOneLane = run.labels().isEmpty() != run.requires().isEmpty();
    return !ofOneLane
        || ofClass.stream()
            .filter(it -> it.labels().isEmpty() && it.requires().isEmpty())
            .allMatch(it -> it.number() < run.number())
        || ofClass.stream().filter(it -> isLike(run, it)).count() >= few;
  }

  /** Returns whether another run is of the label of a run, or of its requirement and no label. */
  private static boolean isLike(WaitingRun run, WaitingRun other) {
    return other.labels().equals(run.labels())
        && (run.requires().isEmpty() || other.requires().equals(run.requires()));
  }

  private void rule(boolean holds, String text, String job) {
    if (!holds) {
      throw new Broken("seed %d: ".formatted(seed) + text.formatted(job));
    }
  }

  /** Has the members report to a gate; host g has left, drains or has no slots if it takes none. */
  private void hosts(GateMachine its) {
    int how = gpu ? 0 : random.nextInt(3);
    List<String> members = !gpu && how == 0 ? List.of("h/b") : List.of("g/b", "h/b");
    its.members(state, members, how == 1 ? List.of("g") : List.of(), Map.of("g", GPU), 0);
    report(its, "h", SLOTS);
    if (members.size() > 1) {
      report(its, "g", how == 2 ? 0 : MANY_SLOTS);
    }
  }

  private void report(GateMachine its, String host, int slots) {
    Set<String> runs = new HashSet<>();
    on(host).forEach(job -> runs.add(job + "/1"));
    boolean member =
        its.report(
            state,
            new HostView(
                host, "b", 0, 0, slots, runs, null, 0, Set.of(), Map.of(), null, Map.of()));
    assertThat(member).isTrue();
  }

  private void withdraw(String job) {
    if (state.waiting().containsKey(job)) {
      happened(new GateEvent.Withdrawn(job));
      open.remove(job);
    }
    for (String type : TYPES) {
      if (backlogs.get(type).runs().containsKey(job)) {
        leave(type, List.of(job));
        open.remove(job);
      }
    }
  }

  private void backlog(String type, BacklogCommand command) {
    BacklogState before = backlogs.get(type);
    BacklogIndex index = indexes.get(type);
    if (command instanceof BacklogCommand.Keep keep) {
      backlogs.put(type, before.apply(new BacklogEvent.Kept(keep.job(), keep.waiting())));
      index.add(keep.job(), keep.waiting());
    } else if (command instanceof BacklogCommand.Pull pull) {
      Map<String, WaitingRun> runs = index.first(before, pull);
      leave(type, List.copyOf(runs.keySet()));
      List<BacklogLane> left = flaw == Flaw.FORGETS_LANES ? List.of() : index.left(pull);
      reply(type, new GateCommand.Returned(type, runs, index.stock(backlogs.get(type)), left));
    }
  }

  private void leave(String type, List<String> jobs) {
    BacklogState before = backlogs.get(type);
    jobs.forEach(job -> indexes.get(type).remove(job, before.runs().get(job)));
    backlogs.put(type, before.apply(new BacklogEvent.Left(jobs)));
  }

  private void reply(String type, GateCommand answer) {
    mail(toGate, type).add(answer);
  }

  private void gate(GateCommand command) {
    if (command instanceof GateCommand.Returned e) {
      happened(new GateEvent.Returned(e.type(), e.runs(), e.stock(), e.left()));
    } else if (command instanceof GateCommand.Stock e) {
      happened(new GateEvent.Stocked(e.type(), e.stock()));
    }
  }

  private void grant() {
    for (GateStep step : machine.grants(state, now, 0)) {
      if (step instanceof GateStep.Grant grant) {
        WaitingRun waiting = state.waiting().get(grant.event().job());
        inOrder(waiting);
        happened(grant.event());
        granted.add(grant.event().job());
        open.remove(grant.event().job());
      }
    }
    for (GateStep step : machine.pulls(state)) {
      if (step instanceof GateStep.Pull pull && isMade(pull)) {
        happened(new GateEvent.Pulled(pull.type()));
        toBacklog(pull.type(), pull.command());
      }
    }
    // a class of the window is filled up to a tenth of it at a time, and one pull of each type
    assertThat(state.waiting().size()).isLessThan(WINDOW + TYPES.size() * 2 * Window.PULL);
  }

  /** Returns whether a gate with the flaw makes a pull. */
  private boolean isMade(GateStep.Pull pull) {
    return switch (flaw) {
      case COUNTS_BLOCKED -> isFew(pull, run -> true);
      case COUNTS_UNOFFERED -> isOfLane(pull) || isFew(pull, run -> !isLimited(run));
      case NONE, FORGETS_LANES -> true;
    };
  }

  /** Returns whether a pull is of runs of a lane that was left out, too. */
  private static boolean isOfLane(GateStep.Pull pull) {
    return pull.lanes().stream().anyMatch(lane -> lane.runs() > 0);
  }

  /** Returns whether few of some wait of the priority of a pull, blocked ones included. */
  private boolean isFew(GateStep.Pull pull, Predicate<WaitingRun> some) {
    return state.waiting().values().stream()
            .filter(run -> run.type().equals(pull.type()) && run.priority() == pull.priority())
            .filter(some)
            .count()
        < (state.waiting().size() < WINDOW ? WINDOW / 10 : Window.RESERVED);
  }

  /**
   * Of those of one type, priority, limit and requirement that never had to wait for a time, the
   * first ones go first.
   */
  private void inOrder(WaitingRun run) {
    if (run.notBefore() == null) {
      String key = run.type() + run.priority() + run.labels() + run.requires();
      assertThat(run.number()).as(key).isGreaterThan(lastOfClass.getOrDefault(key, 0L));
      lastOfClass.put(key, run.number());
    }
  }

  private static BacklogRehearsalTest played(long its, Flaw one) {
    BacklogRehearsalTest world = new BacklogRehearsalTest();
    world.flaw = one;
    world.play(its);
    return world;
  }

  private void count(long its) {
    BacklogRehearsalTest world = played(its, Flaw.NONE);
    kept += world.kept;
    rests += world.rests;
    passed += world.passed;
    unoffered += world.unoffered;
  }

  @Test
  void eachRunGoesOnceAndInItsOrderWhereverItWaits() {
    if (Worlds.play(SEEDS, this::count) > 1) {
      assertThat(kept).as("runs that waited in backlogs").isGreaterThan(SEEDS * 20);
      assertThat(rests).as("moments without a message under way").isGreaterThan(SEEDS);
      assertThat(passed).as("blocked runs of backlogs beside free slots").isGreaterThan(SEEDS);
      assertThat(unoffered)
          .as("of which no host offers what they require")
          .isGreaterThan(SEEDS / 2);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void theRulesBreakWithEachFlaw(Flaw one) {
    one.witness.isCaught(its -> played(its, one));
  }

  @ParameterizedTest
  @Tag("nightly")
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void eachWitnessIsTheFirst(Flaw one) {
    one.witness.isFirst(FLAWED, its -> played(its, one));
  }

  @Test
  @Tag("nightly")
  void eachRunGoesOnceInManyWorlds() {
    assertThat(Worlds.playMany(5_000, this::count)).isLessThan(kept);
  }
}
