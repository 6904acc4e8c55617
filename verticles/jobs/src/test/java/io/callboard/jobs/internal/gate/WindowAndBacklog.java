package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogEvent;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A gate with a small window and the backlog of its one type: whatever one sends the other receives
 * at once and in its order.
 */
abstract class WindowAndBacklog {
  private static final Instant BEGIN = Instant.parse("2026-11-28T12:00:00Z");

  /** Slots of each host. */
  static final int SLOTS = 10;

  static final int WINDOW = 40;

  /** Labels of the members by name. */
  private final Map<String, Map<String, String>> hosts = new TreeMap<>();

  private final Set<String> draining = new TreeSet<>();
  private final Deque<BacklogCommand> toBacklog = new ArrayDeque<>();
  private final Deque<GateCommand.Returned> toGate = new ArrayDeque<>();
  final List<String> granted = new ArrayList<>();
  BacklogState backlog = BacklogState.EMPTY;
  BacklogIndex index = new BacklogIndex(backlog);
  GateMachine machine = new GateMachine(WINDOW);
  GateState state = GateState.empty();
  Instant now = BEGIN;
  boolean older;
  private int jobs;
  int pulls;

  /** Number of lanes that all pulls named. */
  int named;

  int largest;

  void happened(GateEvent event) {
    GateState before = state;
    state = state.apply(event);
    machine.apply(before, event, state);
  }

  /** Limits the runs of the type. */
  void type(int limit) {
    happened(
        new GateEvent.TypePut(
            new JobType(JobType.PROCESS, "process", limit, false, RetryPolicy.ONCE), null));
  }

  void join(String host, Map<String, String> labels) {
    hosts.put(host, labels);
    report();
  }

  void leave(String host) {
    hosts.remove(host);
    report();
  }

  void drain(String host, boolean drains) {
    if (drains) {
      draining.add(host);
    } else {
      draining.remove(host);
    }
    report();
  }

  /** Has every member report, which a new gate waits for. */
  void report() {
    List<String> members = hosts.keySet().stream().map(host -> host + "/b").toList();
    machine.members(state, members, draining, hosts, 0);
    for (String host : hosts.keySet()) {
      boolean member =
          machine.report(
              state,
              new HostView(
                  host, "b", 0, 1, SLOTS, Set.of(), null, 0, Set.of(), Map.of(), null, Map.of()));
      assertThat(member).isTrue();
    }
  }

  void enqueue(String kind, int count, int priority, Map<String, String> labels) {
    enqueue(kind, count, priority, labels, Map.of());
  }

  void enqueue(
      String kind,
      int count,
      int priority,
      Map<String, String> labels,
      Map<String, String> requires) {
    for (int i = 0; i < count; i++) {
      String job = kind + jobs++;
      GateCommand.Enqueue e =
          new GateCommand.Enqueue(job, 1, "process", priority, now, null, null, labels, requires);
      if (machine.isFull(state, e, now)) {
        long its = state.enqueued() + 1;
        happened(new GateEvent.Kept("process", priority));
        toBacklog.add(
            new BacklogCommand.Keep(
                job,
                new WaitingRun(1, "process", priority, now, null, null, its, labels, requires)));
      } else {
        happened(
            new GateEvent.Enqueued(job, 1, "process", priority, now, null, null, labels, requires));
      }
    }
  }

  /** Grants and pulls, and delivers what follows, until nothing does any more. */
  void settle() {
    decide();
    for (int i = 0; i < 1_000 && !(toBacklog.isEmpty() && toGate.isEmpty()); i++) {
      while (!toBacklog.isEmpty()) {
        receive(toBacklog.remove());
      }
      while (!toGate.isEmpty()) {
        GateCommand.Returned e = toGate.remove();
        happened(new GateEvent.Returned(e.type(), e.runs(), e.stock(), e.left()));
        decide();
      }
    }
    assertThat(toBacklog).as("pulls end, after %d", pulls).isEmpty();
  }

  private void receive(BacklogCommand command) {
    if (command instanceof BacklogCommand.Keep keep) {
      backlog = backlog.apply(new BacklogEvent.Kept(keep.job(), keep.waiting()));
      index.add(keep.job(), keep.waiting());
    } else if (command instanceof BacklogCommand.Pull asked) {
      BacklogCommand.Pull pull =
          older ? new BacklogCommand.Pull(asked.priority(), asked.most(), null, null) : asked;
      Map<String, WaitingRun> runs = index.first(backlog, pull);
      runs.forEach(index::remove);
      backlog = backlog.apply(new BacklogEvent.Left(List.copyOf(runs.keySet())));
      toGate.add(
          new GateCommand.Returned(
              "process", runs, index.stock(backlog), older ? null : index.left(pull)));
    }
  }

  private void decide() {
    for (GateStep step : machine.grants(state, now, 0)) {
      GateEvent.Granted e = ((GateStep.Grant) step).event();
      granted.add(e.job());
      happened(e);
    }
    for (GateStep step : machine.pulls(state)) {
      GateStep.Pull pull = (GateStep.Pull) step;
      pulls++;
      named += pull.lanes().size();
      happened(new GateEvent.Pulled(pull.type()));
      toBacklog.add(pull.command());
    }
    largest = Math.max(largest, state.waiting().size());
  }

  List<String> running(String kind) {
    return state.handles().keySet().stream().filter(job -> job.startsWith(kind)).toList();
  }

  List<String> granted(String kind) {
    return granted.stream().filter(job -> job.startsWith(kind)).toList();
  }

  void end(List<String> runs) {
    runs.forEach(job -> happened(new GateEvent.Released(job, 1)));
    settle();
  }

  static List<String> numbered(String kind, int from, int count) {
    List<String> all = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      all.add(kind + i);
    }
    return all;
  }
}
