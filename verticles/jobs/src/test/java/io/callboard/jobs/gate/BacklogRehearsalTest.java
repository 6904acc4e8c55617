package io.callboard.jobs.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.protocol.BacklogCommand;
import io.callboard.jobs.protocol.BacklogEvent;
import io.callboard.jobs.protocol.GateCommand;
import io.callboard.jobs.protocol.GateEvent;
import io.callboard.jobs.protocol.WaitingRun;
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
import org.junit.jupiter.api.Test;

/**
 * A gate with a small window and the backlogs of its types, played from one seed: messages between
 * them are durable, each in the order of its sender, and late. What the window and the backlogs
 * decide is real.
 */
class BacklogRehearsalTest {
  private static final Instant EPOCH = Instant.parse("2026-11-25T00:00:00Z");
  private static final int WINDOW = 40;
  private static final int SEEDS = 300;
  private static final List<String> TYPES = List.of("a", "b", "c");

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
  private int kept;

  private void play(long seed) {
    random = new SplittableRandom(seed);
    int slots = 1 + random.nextInt(3);
    for (String type : TYPES) {
      state =
          state.apply(
              new GateEvent.TypePut(new JobType(type, "process", slots, false, RetryPolicy.ONCE)));
      backlogs.put(type, BacklogState.EMPTY);
      indexes.put(type, new BacklogIndex(BacklogState.EMPTY));
    }
    machine.members(state, List.of("h/b"), List.of(), 0);
    boolean member = machine.report(state, new HostView("h", "b", 0, 1, 6, Set.of(), null, 0));
    assertThat(member).isTrue();
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
    String type = TYPES.get(random.nextInt(3));
    boolean later = random.nextInt(10) == 0;
    GateCommand.Enqueue e =
        new GateCommand.Enqueue(
            job,
            1,
            type,
            random.nextInt(3) * 4,
            now,
            later ? now.plusSeconds(random.nextInt(200)) : null,
            null,
            null,
            null);
    open.add(job);
    if (machine.isFull(state, e, now)) {
      WaitingRun waiting =
          new WaitingRun(1, type, e.priority(), now, e.notBefore(), null, state.enqueued() + 1);
      happened(new GateEvent.Kept(type, e.priority()));
      toBacklog(type, new BacklogCommand.Keep(job, waiting));
      kept++;
    } else {
      happened(
          new GateEvent.Enqueued(job, 1, type, e.priority(), now, e.notBefore(), null, null, null));
    }
    grant();
  }

  private void toBacklog(String type, BacklogCommand command) {
    toBacklogs.computeIfAbsent(type, t -> new ArrayDeque<>()).add(command);
  }

  private void happened(GateEvent event) {
    GateState before = state;
    state = state.apply(event);
    machine.apply(before, event, state);
  }

  private void step(boolean withdrawals) {
    now = now.plusMillis(500);
    for (String type : TYPES) {
      Deque<BacklogCommand> mail = toBacklogs.getOrDefault(type, new ArrayDeque<>());
      if (!mail.isEmpty() && random.nextInt(3) == 0) {
        backlog(type, mail.remove());
      }
      if (indexes.get(type).becomeDue(backlogs.get(type), now)) {
        reply(type, new GateCommand.Stock(type, indexes.get(type).stock(backlogs.get(type))));
      }
      Deque<GateCommand> answers = toGate.getOrDefault(type, new ArrayDeque<>());
      if (!answers.isEmpty() && random.nextInt(3) == 0) {
        gate(answers.remove());
      }
    }
    if (random.nextInt(100) == 0) {
      machine = restarted();
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
  }

  private GateMachine restarted() {
    GateMachine next = new GateMachine(WINDOW);
    next.members(state, List.of("h/b"), List.of(), 0);
    Set<String> runs = new HashSet<>();
    state.handles().keySet().forEach(job -> runs.add(job + "/1"));
    boolean member = next.report(state, new HostView("h", "b", 0, 1, 6, runs, null, 0));
    assertThat(member).isTrue();
    return next;
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
      Map<String, WaitingRun> runs = index.first(before, pull.priority(), pull.most());
      leave(type, List.copyOf(runs.keySet()));
      reply(type, new GateCommand.Returned(type, runs, index.stock(backlogs.get(type))));
    }
  }

  private void leave(String type, List<String> jobs) {
    BacklogState before = backlogs.get(type);
    jobs.forEach(job -> indexes.get(type).remove(job, before.runs().get(job)));
    backlogs.put(type, before.apply(new BacklogEvent.Left(jobs)));
  }

  private void reply(String type, GateCommand answer) {
    toGate.computeIfAbsent(type, t -> new ArrayDeque<>()).add(answer);
  }

  private void gate(GateCommand command) {
    if (command instanceof GateCommand.Returned e) {
      happened(new GateEvent.Returned(e.type(), e.runs(), e.stock()));
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
      if (step instanceof GateStep.Pull pull) {
        happened(new GateEvent.Pulled(pull.type()));
        toBacklog(pull.type(), new BacklogCommand.Pull(pull.priority(), pull.most()));
      }
    }
    // a class of the window is filled up to a tenth of it at a time, and one pull of each type
    assertThat(state.waiting().size()).isLessThan(WINDOW + TYPES.size() * 2 * Window.PULL);
  }

  /**
   * Of those of one type and priority that never had to wait for a time, the first ones go first.
   */
  private void inOrder(WaitingRun run) {
    if (run.notBefore() == null) {
      String key = run.type() + run.priority();
      assertThat(run.number()).as(key).isGreaterThan(lastOfClass.getOrDefault(key, 0L));
      lastOfClass.put(key, run.number());
    }
  }

  @Test
  void eachRunGoesOnceAndInItsOrderWhereverItWaits() {
    int all = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      BacklogRehearsalTest world = new BacklogRehearsalTest();
      world.play(seed);
      all += world.kept;
    }
    assertThat(all).as("runs that waited in backlogs").isGreaterThan(SEEDS * 20);
  }
}
