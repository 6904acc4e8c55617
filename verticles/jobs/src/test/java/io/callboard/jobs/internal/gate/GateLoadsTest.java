package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.model.GateLoad;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GateLoadsTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  private GateState state = GateState.empty();

  private static Instant ago(int seconds) {
    return NOW.minusSeconds(seconds);
  }

  private void waits(String job, Instant at, @Nullable Instant due) {
    state =
        state.apply(new GateEvent.Enqueued(job, 1, "etl", 5, at, due, null, Map.of(), Map.of()));
  }

  private void runs(String job, Instant since) {
    Map<String, Handle> handles = new TreeMap<>(state.handles());
    handles.put(job, new Handle(1, "etl", "h", "b", since, 1, 0, null, null, null));
    state = new GateState(state.types(), state.waiting(), handles, state.enqueued(), 1);
  }

  @Test
  void aWaitingJobCountsFromWhenItIsDueNotFromWhenItCame() {
    waits("early", ago(900), ago(10));
    waits("late", ago(30), ago(600));
    waits("not-due", ago(900), NOW.plusSeconds(1));
    assertThat(GateLoads.of(state, NOW))
        .containsExactly(new GateLoad("etl", 0, null, null, 2, "late", ago(30)));
    assertThat(GateLoads.of(state, NOW.plusSeconds(1)).get(0).due()).isEqualTo(3);
  }

  @Test
  void theLongestRunIsThatWhichWasGrantedFirst() {
    runs("a", ago(10));
    runs("b", ago(50));
    waits("b", ago(90), null);
    assertThat(GateLoads.of(state, NOW))
        .as("b waits for its own run")
        .containsExactly(new GateLoad("etl", 2, "b", ago(50), 0, null, null));
  }

  @Test
  void jobsInTheBacklogCountAndTheirAgeIsNotKnown() {
    state = state.apply(new GateEvent.Kept("etl", 5));
    assertThat(GateLoads.of(state, NOW))
        .containsExactly(new GateLoad("etl", 0, null, null, 1, null, null));
    assertThat(GateLoads.of(GateState.empty(), NOW)).isEmpty();
  }
}
