package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.gate.BlockedReasons;
import io.callboard.jobs.gate.GateMachine;
import io.callboard.jobs.gate.GateState;
import io.callboard.jobs.gate.GateStep;
import io.callboard.jobs.gate.HostView;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.protocol.GateEvent;
import io.callboard.jobs.protocol.WaitingRun;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Test of the cost of one message to the gate in a large cell, where it handles hundreds of them a
 * second.
 */
class GateScaleTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final int HOSTS = 1_000;
  private static final int JOBS = 10_000;
  private static final int TURNS = 20;
  private static final int ENDS = 1_000;

  /** A tenth of what it took when each host had the handles counted anew. */
  private static final Duration LONGEST = Duration.ofMillis(60);

  private final GateMachine machine = new GateMachine();
  private GateState state = GateState.empty();

  /**
   * Fills the gate: {@link #JOBS} jobs wait, and runs take all slots of {@link #HOSTS} hosts but
   * {@code free}.
   */
  private void cell(int free) {
    Map<String, WaitingRun> waiting = new HashMap<>();
    Map<String, GateState.Handle> handles = new HashMap<>();
    Map<String, Set<String>> runs = new HashMap<>();
    for (int i = 0; i < JOBS; i++) {
      Instant at = NOW.minus(Duration.ofSeconds(i % 600));
      waiting.put("w" + i, new WaitingRun(1, "process", i % 10, at, null, null, i));
      if (i >= free) {
        String host = "h" + i % HOSTS;
        handles.put("r" + i, new GateState.Handle(1, "process", host, "b", NOW, i, 0, null, null));
        runs.computeIfAbsent(host, h -> new HashSet<>()).add("r" + i + "/1");
      }
    }
    JobType type = new JobType("process", "process", 100_000, false, RetryPolicy.ONCE);
    state = new GateState(Map.of("process", type), waiting, handles, JOBS, JOBS);
    List<String> members = new ArrayList<>();
    for (int i = 0; i < HOSTS; i++) {
      members.add("h" + i + "/b");
    }
    machine.members(state, members, List.of(), 0);
    for (int i = 0; i < HOSTS; i++) {
      String host = "h" + i;
      boolean member =
          machine.report(
              state,
              new HostView(
                  host, "b", 0, 1, JOBS / HOSTS, runs.getOrDefault(host, Set.of()), null, 0));
      assertThat(member).isTrue();
    }
  }

  /** Time that this thread has computed: other work of the machine is not measured. */
  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static Duration shortest(Runnable turn) {
    Duration best = Duration.ofDays(1);
    for (int i = 0; i < TURNS; i++) {
      long begin = cpu();
      turn.run();
      Duration took = Duration.ofNanos(cpu() - begin);
      best = took.compareTo(best) < 0 ? took : best;
    }
    return best;
  }

  /** Asserts that the fastest of many turns is short: the first ones run before it is compiled. */
  private static void isShort(String what, Runnable turn) {
    Duration took = shortest(turn);
    assertThat(took).as(what).isLessThan(LONGEST);
  }

  @Test
  void aMessageToAFullCellCostsLittle() {
    cell(0);
    isShort("grants", () -> assertThat(machine.grants(state, NOW, 0)).isEmpty());
    isShort("a turn", () -> assertThat(machine.giveUp(state, NOW, 0)).isEmpty());
    isShort(
        "why",
        () -> assertThat(BlockedReasons.reasons(state, machine, "w77", null, NOW, 0)).hasSize(1));
  }

  @Test
  void aFreeSlotCostsLittle() {
    cell(1);
    isShort("one grant", () -> assertThat(machine.grants(state, NOW, 0)).hasSize(1));
  }

  @Test
  void manyFreeSlotsCostLittle() {
    cell(1_000);
    isShort(
        "many grants", () -> assertThat(machine.grants(state, NOW, 0)).hasSize(GateMachine.MOST));
  }

  /** Each end of a run, with the grant that follows, costs the same however much waits. */
  @Test
  void anEndedRunAndTheNextGrantCostLittle() {
    cell(0);
    assertThat(machine.grants(state, NOW, 0)).isEmpty();
    long begin = cpu();
    for (int i = 0; i < ENDS; i++) {
      happened(new GateEvent.Released("r" + i, 1));
      List<GateStep> grants = machine.grants(state, NOW, 0);
      assertThat(grants).hasSize(1);
      happened(((GateStep.Grant) grants.get(0)).event());
    }
    Duration each = Duration.ofNanos(cpu() - begin).dividedBy(ENDS);
    assertThat(each).as("an end and a grant").isLessThan(Duration.ofMillis(5));
  }

  private void happened(GateEvent event) {
    GateState before = state;
    state = state.apply(event);
    machine.apply(before, event, state);
  }
}
