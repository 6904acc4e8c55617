package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.model.Blocked;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Kinds of jobs of one type that require labels of their hosts: while no host offers what one kind
 * requires, it keeps the others neither out of the window nor from free slots.
 */
class UnofferedLaneTest extends WindowAndBacklog {
  private static final Map<String, String> GPU = Map.of("gpu", "yes");
  private static final Map<String, String> ARM = Map.of("arch", "arm");
  private static final Map<String, String> ACME = Map.of("customer", "acme");
  private static final int ACME_LIMIT = 2;
  private static final int GPUS = 3 * WINDOW;
  private static final int ARMS = 200;

  /** Host h takes what requires arm, and nothing takes what requires a gpu. */
  private void open() {
    type(10 * SLOTS);
    join("h", ARM);
  }

  private void enqueue() {
    enqueue("gpu", GPUS, 5, Map.of(), GPU);
    enqueue("arm", ARMS, 5, Map.of(), ARM);
    settle();
  }

  /** Ends all runs, again and again, until so many have been granted. */
  private void run(int all) {
    while (granted.size() < all) {
      int before = granted.size();
      end(List.copyOf(state.handles().keySet()));
      assertThat(granted).hasSizeGreaterThan(before).doesNotHaveDuplicates();
    }
  }

  /** Those without a host alone fill the window, and the others are beyond it. */
  @Test
  void runsAreGrantedPastThoseThatNoHostTakes() {
    open();
    enqueue();
    while (granted("arm").size() < ARMS) {
      assertThat(running("arm")).as("%s", granted.size()).hasSize(SLOTS);
      end(running("arm"));
    }
    assertThat(granted).isEqualTo(numbered("arm", GPUS, ARMS));
    assertThat(BlockedReasons.reasons(state, machine, "gpu0", "process", now, 0))
        .extracting(Blocked::detail)
        .containsExactly("no host offers gpu=yes");
  }

  @Test
  void aHostThatJoinsGetsItsRunsInTheirOrderWhateverWaitsBeside() {
    open();
    enqueue();
    assertThat(granted("gpu")).isEmpty();
    join("g", GPU);
    settle();
    while (granted("gpu").size() < GPUS) {
      assertThat(running("gpu")).as("of %s", granted("gpu").size()).hasSize(SLOTS);
      end(running("gpu")); // and those of the others do not end
    }
    assertThat(granted("gpu")).isEqualTo(numbered("gpu", 0, GPUS));
    assertThat(granted("arm")).hasSize(SLOTS);
  }

  @Test
  void aHostThatDrainsOffersNothing() {
    open();
    join("g", GPU);
    drain("g", true);
    enqueue();
    assertThat(running("arm")).hasSize(SLOTS);
    assertThat(granted("gpu")).isEmpty();
    drain("g", false);
    run(GPUS + ARMS);
    assertThat(granted("gpu")).isEqualTo(numbered("gpu", 0, GPUS));
  }

  @Test
  void runsOfEachKindGoInTheirOrderWhileAHostComesAndGoes() {
    int gpus = 1_500;
    int arms = 2 * gpus + 20 * SLOTS;
    machine = new GateMachine(1_000);
    open();
    enqueue("gpu", gpus, 5, Map.of(), GPU);
    enqueue("arm", arms, 5, Map.of(), ARM);
    settle();
    for (int turn = 0; granted.size() < gpus + arms; turn++) {
      int before = granted.size();
      if (turn % 2 == 0) {
        join("g", GPU);
      } else {
        leave("g");
      }
      end(List.copyOf(state.handles().keySet()));
      assertThat(granted).hasSizeGreaterThan(before).doesNotHaveDuplicates();
    }
    assertThat(granted("gpu")).isEqualTo(numbered("gpu", 0, gpus));
    assertThat(granted("arm")).isEqualTo(numbered("arm", gpus, arms));
  }

  @Test
  void aNewGateMissesNothingBeforeAHostHasReported() {
    type(10 * SLOTS);
    enqueue();
    assertThat(pulls).isZero();
    assertThat(largest).isEqualTo(WINDOW);
    join("h", ARM);
    settle();
    assertThat(running("arm")).hasSize(SLOTS);
    int before = pulls;
    machine = new GateMachine(WINDOW);
    settle();
    assertThat(pulls).as("no host has reported to the new gate").isEqualTo(before);
    index = new BacklogIndex(backlog);
    join("g", GPU);
    run(GPUS + ARMS);
    assertThat(granted("gpu")).isEqualTo(numbered("gpu", 0, GPUS));
    assertThat(granted("arm")).isEqualTo(numbered("arm", GPUS, ARMS));
    assertThat(backlog.runs()).isEmpty();
  }

  @Test
  void jobsThatALimitBlocksOrNoHostTakesKeepNothingElseBack() {
    open();
    happened(new GateEvent.LimitPut("customer=acme", ACME_LIMIT));
    enqueue("both", 3 * WINDOW, 5, ACME, GPU);
    enqueue("acme", WINDOW, 5, ACME, ARM);
    enqueue("arm", ARMS, 5, Map.of(), ARM);
    settle();
    for (int i = 0; i < 10; i++) {
      assertThat(running("acme")).hasSize(ACME_LIMIT);
      assertThat(running("arm")).as("turn %d", i).hasSize(SLOTS - ACME_LIMIT);
      end(running("arm"));
    }
    assertThat(granted("both")).isEmpty();
    join("g", GPU);
    run(4 * WINDOW + ARMS);
    assertThat(granted("both")).isEqualTo(numbered("both", 0, 3 * WINDOW));
    assertThat(granted("acme")).isEqualTo(numbered("acme", 3 * WINDOW, WINDOW));
    assertThat(granted("arm")).isEqualTo(numbered("arm", 4 * WINDOW, ARMS));
  }

  @Test
  void anyNumberOfRequirementsKeepsTheBoundOfTheWindow() {
    int window = 1_000;
    machine = new GateMachine(window);
    open();
    for (int i = 0; i < 300; i++) {
      enqueue("lane", 10, 5, Map.of(), Map.of("rack", "r" + i));
    }
    settle();
    int bound = window + window / Window.LAST;
    assertThat(largest).isBetween(bound, bound + Window.RESERVED);
    assertThat(granted).isEmpty();
  }

  /** What hosts offer counts no lane, so many requirements are as one. */
  @Test
  void pullsNameNoLaneOfOfferedRequirements() {
    open();
    join("g", GPU);
    for (int i = 0; i < 10; i++) {
      enqueue("gpu", WINDOW, 5, Map.of(), GPU);
      enqueue("arm", WINDOW, 5, Map.of(), ARM);
    }
    settle();
    run(20 * WINDOW);
    assertThat(named).as("lanes that pulls named").isZero();
  }

  /** An older backlog returns the first runs, whatever they require. */
  @Test
  void withAnOlderBacklogEachRunIsGrantedOnce() {
    older = true;
    open();
    enqueue();
    assertThat(granted).isEmpty();
    assertThat(largest).isLessThan(WINDOW + 2 * Window.PULL);
    join("g", GPU);
    run(GPUS + ARMS);
    assertThat(granted("gpu")).isEqualTo(numbered("gpu", 0, GPUS));
  }
}
