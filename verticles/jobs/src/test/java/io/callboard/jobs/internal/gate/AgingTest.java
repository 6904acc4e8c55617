package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogEvent;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.PriorityAging;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stated bound of a wait, over whole runs: a job of priority p starts at the latest when (9 −
 * p) minutes have passed and what was enqueued before it has gone, whatever urgent jobs come. So it
 * is with a window that is full, too, and a backlog whose messages each take a second.
 */
class AgingTest {
  private static final Instant BEGIN = Instant.parse("2026-11-25T12:00:00Z");
  private static final int SMALL = 20;

  private final Deque<BacklogCommand> toBacklog = new ArrayDeque<>();
  private final Deque<GateCommand.Returned> toGate = new ArrayDeque<>();
  private BacklogState backlog = BacklogState.EMPTY;
  private final BacklogIndex backlogIndex = new BacklogIndex(backlog);
  private GateMachine machine = new GateMachine();
  private int slots = 2;
  private final Map<String, Instant> started = new HashMap<>();
  private GateState state = GateState.empty();
  private Instant now = BEGIN;
  private int jobs;

  private void happened(GateEvent event) {
    GateState before = state;
    state = state.apply(event);
    machine.apply(before, event, state);
  }

  private String enqueue(int priority) {
    return enqueue("process", priority);
  }

  private String enqueue(String type, int priority) {
    return enqueue(type, priority, Map.of());
  }

  private String enqueue(String type, int priority, Map<String, String> labels) {
    String job = "j" + jobs++;
    GateCommand.Enqueue e =
        new GateCommand.Enqueue(job, 1, type, priority, now, null, null, labels, null);
    if (machine.isFull(state, e, now)) {
      long number = state.enqueued() + 1;
      WaitingRun run = new WaitingRun(1, type, priority, now, null, null, number, labels, Map.of());
      happened(new GateEvent.Kept(type, priority));
      toBacklog.add(new BacklogCommand.Keep(job, run));
    } else {
      happened(new GateEvent.Enqueued(job, 1, type, priority, now, null, null, labels, null));
    }
    return job;
  }

  /** Delivers what was sent in the second before; what it answers comes in the next. */
  private void mail() {
    List<GateCommand.Returned> answers = List.copyOf(toGate);
    toGate.clear();
    while (!toBacklog.isEmpty()) {
      BacklogCommand command = toBacklog.remove();
      if (command instanceof BacklogCommand.Keep keep) {
        backlog = backlog.apply(new BacklogEvent.Kept(keep.job(), keep.waiting()));
        backlogIndex.add(keep.job(), keep.waiting());
      } else if (command instanceof BacklogCommand.Pull pull) {
        Map<String, WaitingRun> runs = backlogIndex.first(backlog, pull);
        runs.forEach(backlogIndex::remove);
        backlog = backlog.apply(new BacklogEvent.Left(List.copyOf(runs.keySet())));
        toGate.add(
            new GateCommand.Returned(
                "process", runs, backlogIndex.stock(backlog), backlogIndex.left(pull)));
      }
    }
    answers.forEach(e -> happened(new GateEvent.Returned(e.type(), e.runs(), e.stock(), e.left())));
  }

  /** A second: each run ends, as many urgent jobs come as there are slots, and the next go. */
  private void second() {
    now = now.plusSeconds(1);
    List.copyOf(state.handles().keySet()).forEach(job -> happened(new GateEvent.Released(job, 1)));
    mail();
    enqueue(slots, 9);
    for (GateStep step : machine.grants(state, now, 0)) {
      GateEvent.Granted granted = ((GateStep.Grant) step).event();
      started.put(granted.job(), now);
      happened(granted);
    }
    for (GateStep step : machine.pulls(state)) {
      GateStep.Pull pull = (GateStep.Pull) step;
      happened(new GateEvent.Pulled(pull.type()));
      toBacklog.add(pull.command());
    }
  }

  private void enqueue(int count, int priority) {
    for (int i = 0; i < count; i++) {
      String unused = enqueue(priority);
    }
  }

  private void open() {
    happened(
        new GateEvent.TypePut(
            new JobType(JobType.PROCESS, "process", slots, false, RetryPolicy.ONCE)));
    machine.members(state, List.of("h/b"), List.of(), 0);
    boolean member = machine.report(state, new HostView("h", "b", 0, 1, slots, Set.of(), null, 0));
    assertThat(member).isTrue();
  }

  private Duration waits(String job, int seconds) {
    Instant from = now;
    for (int i = 0; i < seconds && !started.containsKey(job); i++) {
      second();
    }
    assertThat(started).as("of %d runs", started.size()).containsKey(job);
    return Duration.between(from, started.get(job));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5, 8, 9})
  void noFloodOfUrgentJobsHoldsAJobBackForLonger(int priority) {
    open();
    String job = enqueue(priority);
    Duration bound = PriorityAging.STEP.multipliedBy(9 - priority).plusSeconds(2);
    assertThat(waits(job, 3_600)).isLessThanOrEqualTo(bound);
  }

  @Test
  void aJobThatWasEnqueuedEarlierIsGrantedEarlier() {
    open();
    int before = 1_000;
    enqueue(before, 9);
    String job = enqueue(5);
    Duration queue = Duration.ofSeconds(before / slots);
    Duration aged = PriorityAging.STEP.multipliedBy(4);
    assertThat(waits(job, 3_600)).isBetween(queue, queue.plus(aged).plusSeconds(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5, 8, 9})
  void aJobOfTheBacklogIsHeldBackForNoLonger(int priority) {
    machine = new GateMachine(SMALL);
    open();
    enqueue(2 * SMALL, 9);
    int alike = 2 * Window.RESERVED;
    enqueue(alike, priority);
    String job = enqueue(priority);
    assertThat(state.waiting()).as("it is beyond the window").doesNotContainKey(job);
    Duration before = Duration.ofSeconds((2 * SMALL + alike) / slots);
    Duration aged = PriorityAging.STEP.multipliedBy(9 - priority);
    Duration pulls = Duration.ofSeconds(10); // a pull takes two seconds, and others may be first
    assertThat(waits(job, 3_600)).isLessThanOrEqualTo(aged.plus(before).plus(pulls));
  }

  /**
   * What the limit of a label blocks ages as all others do: once the limit has room, it goes before
   * whatever was enqueued after it, and it keeps nothing from going until then.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 5, 8, 9})
  void aJobThatALimitHeldBackIsHeldBackForNoLonger(int priority) {
    machine = new GateMachine(SMALL);
    open();
    happened(new GateEvent.LimitPut("customer=acme", 0));
    int alike = 2 * SMALL;
    Map<String, String> acme = Map.of("customer", "acme");
    for (int i = 0; i < alike; i++) {
      String unused = enqueue("process", priority, acme);
    }
    String job = enqueue("process", priority, acme);
    for (int i = 0; i < 600; i++) {
      second();
    }
    assertThat(started).as("the others go meanwhile").hasSizeGreaterThan(600);
    happened(new GateEvent.LimitPut("customer=acme", slots));
    Duration before = Duration.ofSeconds((alike + 1) / slots);
    Duration pulls = Duration.ofSeconds(10);
    assertThat(waits(job, 3_600)).isLessThanOrEqualTo(before.plus(pulls));
  }

  /** A window that others fill has ten of a priority at most, and urgent runs leave it at once. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5, 8})
  void urgentJobsThatPassThroughAFullWindowKeepNoOtherOutOfIt(int priority) {
    machine = new GateMachine(SMALL);
    slots = 5;
    open();
    happened(new GateEvent.TypePut(new JobType("paused", "process", 1, true, RetryPolicy.ONCE)));
    for (int i = 0; i < SMALL; i++) {
      String unused = enqueue("paused", 5);
    }
    enqueue(8, 9);
    int alike = 6 * Window.RESERVED;
    enqueue(alike, priority);
    String job = enqueue(priority);
    Duration before = Duration.ofSeconds((8 + alike) / slots);
    Duration aged = PriorityAging.STEP.multipliedBy(9 - priority);
    assertThat(waits(job, 3_600))
        .isLessThanOrEqualTo(aged.plus(before).plus(Duration.ofSeconds(10)));
  }
}
