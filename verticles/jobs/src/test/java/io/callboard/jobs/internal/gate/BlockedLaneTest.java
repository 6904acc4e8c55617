package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.GateEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Two kinds of jobs of one type, of which the limit of a label counts one: it keeps the others
 * neither out of the window nor from free slots.
 */
class BlockedLaneTest extends WindowAndBacklog {
  private static final String LABEL = "customer=acme";
  private static final Map<String, String> ACME = Map.of("customer", "acme");
  private static final int ACME_LIMIT = 2;

  private void open() {
    type(SLOTS);
    happened(new GateEvent.LimitPut(LABEL, ACME_LIMIT));
    join("h", Map.of());
  }

  /** The example: acme's jobs alone fill the window, and the others are beyond it. */
  @Test
  void runsAreGrantedPastThoseThatALimitBlocks() {
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
  void runsThatALimitBlocksArePulledInTheirOrder() {
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
  void runsAreGrantedPastManyBlockedLanes() {
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
  void anyNumberOfLanesKeepsTheBoundOfTheWindow() {
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
  void removingALimitGrantsTheBlockedRunsInTheirOrder() {
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
  void withABacklogOfAnOlderVersionEachRunIsGrantedOnceDespiteAWindowOfBlockedRuns() {
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
