package io.callboard.jobs.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.protocol.GateEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stated bound of a wait, over whole runs: a job of priority p starts at the latest when (9 −
 * p) minutes have passed and what was enqueued before it has gone, whatever urgent jobs come.
 */
class AgingTest {
  private static final Instant BEGIN = Instant.parse("2026-11-25T12:00:00Z");
  private static final int SLOTS = 2;

  private final GateMachine machine = new GateMachine();
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
    String job = "j" + jobs++;
    happened(new GateEvent.Enqueued(job, 1, "process", priority, now, null, null, null, null));
    return job;
  }

  /** A second: each run ends, as many urgent jobs come as there are slots, and the next go. */
  private void second() {
    now = now.plusSeconds(1);
    List.copyOf(state.handles().keySet()).forEach(job -> happened(new GateEvent.Released(job, 1)));
    for (int i = 0; i < SLOTS; i++) {
      String unused = enqueue(9);
    }
    for (GateStep step : machine.grants(state, now, 0)) {
      GateEvent.Granted granted = ((GateStep.Grant) step).event();
      started.put(granted.job(), now);
      happened(granted);
    }
  }

  private void open() {
    happened(
        new GateEvent.TypePut(
            new JobType(JobType.PROCESS, "process", SLOTS, false, RetryPolicy.ONCE)));
    machine.members(state, List.of("h/b"), List.of(), 0);
    boolean member = machine.report(state, new HostView("h", "b", 0, 1, SLOTS, Set.of(), null, 0));
    assertThat(member).isTrue();
  }

  private Duration waits(String job, int seconds) {
    for (int i = 0; i < seconds && !started.containsKey(job); i++) {
      second();
    }
    assertThat(started).as("of %d runs", started.size()).containsKey(job);
    return Duration.between(BEGIN, started.get(job));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5, 8, 9})
  void noFloodOfUrgentJobsHoldsAJobBackForLonger(int priority) {
    open();
    String job = enqueue(priority);
    Duration bound = AdmissionMachine.AGING.multipliedBy(9 - priority).plusSeconds(2);
    assertThat(waits(job, 3_600)).isLessThanOrEqualTo(bound);
  }

  @Test
  void whatWasEnqueuedBeforeGoesBefore() {
    open();
    int before = 1_000;
    for (int i = 0; i < before; i++) {
      String unused = enqueue(9);
    }
    String job = enqueue(5);
    Duration queue = Duration.ofSeconds(before / SLOTS);
    Duration aged = AdmissionMachine.AGING.multipliedBy(4);
    assertThat(waits(job, 3_600)).isBetween(queue, queue.plus(aged).plusSeconds(2));
  }
}
