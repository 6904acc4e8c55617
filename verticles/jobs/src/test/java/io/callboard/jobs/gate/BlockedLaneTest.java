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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Two kinds of jobs of one type, of which the limit of a label counts one: it keeps the others
 * neither out of the window nor from free slots.
 */
class BlockedLaneTest {
  private static final Instant BEGIN = Instant.parse("2026-11-28T12:00:00Z");
  private static final String LABEL = "customer=acme";
  private static final Map<String, String> ACME = Map.of("customer", "acme");
  private static final int SLOTS = 10;
  private static final int ACME_LIMIT = 2;
  private static final int WINDOW = 40;

  private final Deque<BacklogCommand> toBacklog = new ArrayDeque<>();
  private final Deque<GateCommand.Returned> toGate = new ArrayDeque<>();
  private final List<String> granted = new ArrayList<>();
  private BacklogState backlog = BacklogState.EMPTY;
  private BacklogIndex index = new BacklogIndex(backlog);
  private GateMachine machine = new GateMachine(WINDOW);
  private GateState state = GateState.empty();
  private Instant now = BEGIN;
  private boolean older;
  private int jobs;
  private int pulls;
  private int largest;

  private void happened(GateEvent event) {
    GateState before = state;
    state = state.apply(event);
    machine.apply(before, event, state);
  }

  private void open() {
    happened(
        new GateEvent.TypePut(
            new JobType(JobType.PROCESS, "process", SLOTS, false, RetryPolicy.ONCE)));
    happened(new GateEvent.LimitPut(LABEL, ACME_LIMIT));
    report();
  }

  private void report() {
    machine.members(state, List.of("h/b"), List.of(), 0);
    boolean member = machine.report(state, new HostView("h", "b", 0, 1, SLOTS, Set.of(), null, 0));
    assertThat(member).isTrue();
  }

  private void enqueue(String kind, int count, int priority, Map<String, String> labels) {
    for (int i = 0; i < count; i++) {
      String job = kind + jobs++;
      GateCommand.Enqueue e =
          new GateCommand.Enqueue(job, 1, "process", priority, now, null, null, labels, null);
      if (machine.isFull(state, e, now)) {
        long its = state.enqueued() + 1;
        happened(new GateEvent.Kept("process", priority));
        toBacklog.add(
            new BacklogCommand.Keep(
                job,
                new WaitingRun(1, "process", priority, now, null, null, its, labels, Map.of())));
      } else {
        happened(
            new GateEvent.Enqueued(job, 1, "process", priority, now, null, null, labels, null));
      }
    }
  }

  /** Grants and pulls, and delivers what follows, until nothing does any more. */
  private void settle() {
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
          older ? new BacklogCommand.Pull(asked.priority(), asked.most()) : asked;
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
      happened(new GateEvent.Pulled(pull.type()));
      toBacklog.add(pull.command());
    }
    largest = Math.max(largest, state.waiting().size());
  }

  private List<String> running(String kind) {
    return state.handles().keySet().stream().filter(job -> job.startsWith(kind)).toList();
  }

  private List<String> granted(String kind) {
    return granted.stream().filter(job -> job.startsWith(kind)).toList();
  }

  private void end(List<String> runs) {
    runs.forEach(job -> happened(new GateEvent.Released(job, 1)));
    settle();
  }

  private static List<String> numbered(String kind, int from, int count) {
    List<String> all = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      all.add(kind + i);
    }
    return all;
  }

  /** The example: acme's jobs alone fill the window, and the others are beyond it. */
  @Test
  void othersAreGrantedPastThoseThatALimitBlocks() {
    open();
    enqueue("acme", 3 * WINDOW, 5, ACME);
    enqueue("plain", 600, 5, Map.of());
    settle();
    assertThat(running("acme")).hasSize(ACME_LIMIT);
    while (granted("plain").size() < 600) {
      assertThat(running("plain")).as("%s", granted.size()).hasSize(SLOTS - ACME_LIMIT);
      end(running("plain"));
    }
    assertThat(granted("plain")).isEqualTo(numbered("plain", 3 * WINDOW, 600));
    assertThat(granted("acme")).as("its runs do not end").hasSize(ACME_LIMIT);
  }

  @Test
  void thoseThatALimitBlocksArePulledInTheirOrder() {
    open();
    enqueue("acme", 3 * WINDOW, 5, ACME);
    enqueue("plain", 600, 5, Map.of());
    settle();
    while (granted("acme").size() < 3 * WINDOW) {
      assertThat(running("acme")).as("of %s", granted("acme").size()).hasSize(ACME_LIMIT);
      end(running("acme")); // and those of the others do not end
    }
    assertThat(granted("acme")).isEqualTo(numbered("acme", 0, 3 * WINDOW));
    assertThat(granted("plain")).hasSize(SLOTS - ACME_LIMIT);
  }

  @Test
  void theWindowKeepsItsBound() {
    int window = 2_000;
    machine = new GateMachine(window);
    open();
    enqueue("acme", 2 * window, 5, ACME);
    enqueue("plain", 2 * window, 5, Map.of());
    settle();
    for (int i = 0; i < 100; i++) {
      end(running("plain"));
      assertThat(running("plain")).hasSize(SLOTS - ACME_LIMIT);
    }
    assertThat(largest).isLessThanOrEqualTo(window + window / Window.SPARE + Window.RESERVED);
  }

  /** Lanes one behind another, each of more runs than the window has to spare. */
  @Test
  void othersAreGrantedPastManyLanes() {
    int window = 1_000;
    machine = new GateMachine(window);
    open();
    limit("c", 20, 0);
    enqueue("acme", window, 5, ACME);
    for (int i = 0; i < 20; i++) {
      enqueue("lane", 150, 5, Map.of("customer", "c" + i));
    }
    enqueue("plain", 80, 5, Map.of());
    settle();
    while (granted("plain").size() < 80) {
      assertThat(running("plain")).as("%s", granted.size()).hasSize(SLOTS - ACME_LIMIT);
      end(running("plain"));
    }
    assertThat(granted("plain")).isEqualTo(numbered("plain", window + 3_000, 80));
    assertThat(granted("lane")).isEmpty();
  }

  @Test
  void lanesWithoutEndKeepTheBoundOfTheWindow() {
    int window = 1_000;
    machine = new GateMachine(window);
    open();
    limit("c", 300, 0);
    for (int i = 0; i < 300; i++) {
      enqueue("lane", 10, 5, Map.of("customer", "c" + i));
    }
    settle();
    int bound = window + window / Window.LAST;
    assertThat(largest).isBetween(bound, bound + Window.RESERVED);
    assertThat(granted).isEmpty();
  }

  private void limit(String customer, int count, int running) {
    for (int i = 0; i < count; i++) {
      happened(new GateEvent.LimitPut("customer=" + customer + i, running));
    }
  }

  /** Lanes that were left out, and have room since, are no stock of what waits beside them. */
  @Test
  void lanesWithRoomKeepNoRunBackThatWasEnqueuedBefore() {
    int window = 2_000;
    Map<String, String> first = Map.of("customer", "c0");
    Map<String, String> second = Map.of("customer", "c1");
    machine = new GateMachine(window);
    open();
    limit("c", 2, 2);
    enqueue("first", window / 2, 5, first);
    enqueue("second", window / 2, 5, second);
    enqueue("plain", 600, 5, Map.of());
    enqueue("first", 1_500, 5, first);
    enqueue("second", 1_500, 5, second);
    settle();
    limit("c", 2, 1_000);
    int before = window + 600;
    while (granted.size() < before) {
      int ended = granted.size();
      end(List.copyOf(state.handles().keySet()));
      assertThat(granted).hasSizeGreaterThan(ended);
    }
    assertThat(granted.subList(0, before)).containsAll(numbered("plain", window, 600));
    assertThat(backlog.runs()).as("some of the lanes are there still").isNotEmpty();
  }

  @Test
  void noPullRepeatsItselfWhileOnlyBlockedRunsWait() {
    machine = new GateMachine(2_000);
    open();
    enqueue("acme", 1_000, 5, ACME);
    enqueue("acme", 1_500, 9, ACME);
    enqueue("acme", 300, 5, ACME);
    settle();
    int before = pulls;
    assertThat(before).as("one of each priority finds that out").isBetween(2, 4);
    for (int i = 0; i < 100; i++) {
      settle();
    }
    assertThat(pulls).isEqualTo(before);
    assertThat(backlog.runs()).hasSize(800);
  }

  @Test
  void aNewGateGoesOnWithTheLanesThatWereLeftOut() {
    open();
    enqueue("acme", 3 * WINDOW, 5, ACME);
    enqueue("plain", 200, 5, Map.of());
    settle();
    machine = new GateMachine(WINDOW);
    report();
    settle();
    index = new BacklogIndex(backlog);
    while (granted.size() < 3 * WINDOW + 200) {
      int before = granted.size();
      end(List.copyOf(state.handles().keySet()));
      assertThat(granted).hasSizeGreaterThan(before).doesNotHaveDuplicates();
    }
    assertThat(granted("acme")).isEqualTo(numbered("acme", 0, 3 * WINDOW));
  }

  @Test
  void aLimitThatIsRemovedLetsThemGoInTheirOrder() {
    open();
    enqueue("acme", 3 * WINDOW, 5, ACME);
    enqueue("plain", 200, 5, Map.of());
    settle();
    happened(new GateEvent.LimitPut(LABEL, null));
    while (granted.size() < 3 * WINDOW + 200) {
      int before = granted.size();
      end(List.copyOf(state.handles().keySet()));
      assertThat(granted).hasSizeGreaterThan(before);
    }
    assertThat(granted).doesNotHaveDuplicates();
    assertThat(granted("acme")).isEqualTo(numbered("acme", 0, 3 * WINDOW));
    assertThat(backlog.runs()).isEmpty();
  }

  /** An older backlog does not know lanes: it returns the first runs, whatever counts them. */
  @Test
  void ofAnOlderBacklogBlockedRunsFillTheWindowAndEachGoesOnce() {
    older = true;
    open();
    enqueue("acme", 10 * WINDOW, 5, ACME);
    enqueue("plain", 100, 5, Map.of());
    settle();
    while (granted.size() < 10 * WINDOW + 100) {
      int before = granted.size();
      end(List.copyOf(state.handles().keySet()));
      assertThat(granted).hasSizeGreaterThan(before).doesNotHaveDuplicates();
    }
    assertThat(largest).isLessThan(WINDOW + 2 * Window.PULL);
  }
}
