package io.callboard.jobs.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.jobs.internal.protocol.BacklogStock;
import io.callboard.jobs.internal.protocol.GateEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pulls of many types at once, each of which names many lanes: they are one commit. */
class PullsOfATurnTest {
  private static final int TYPES = 25;
  private static final int LANES = 100;

  private final GateMachine machine = new GateMachine();
  private GateState state = GateState.empty();

  private void lanesOf(String type) {
    List<Integer> due = new ArrayList<>(Collections.nCopies(BacklogStock.PRIORITIES, 0));
    List<Long> seen = new ArrayList<>(Collections.nCopies(BacklogStock.PRIORITIES, 0L));
    due.set(5, LANES);
    seen.set(5, 1L);
    List<BacklogLane> left = new ArrayList<>();
    for (int i = 0; i < LANES; i++) {
      left.add(new BacklogLane(5, List.of("customer=c" + i), 1));
    }
    state =
        state
            .apply(new GateEvent.Kept(type, 5))
            .apply(new GateEvent.Returned(type, Map.of(), new BacklogStock(due, seen), left));
  }

  @Test
  void eachTypeHasItsTurnAndNoTurnNamesMoreLanesThanACommitHolds() {
    for (int i = 0; i < LANES; i++) {
      state = state.apply(new GateEvent.LimitPut("customer=c" + i, 1));
    }
    for (int i = 0; i < TYPES; i++) {
      lanesOf("t" + i);
    }
    Set<String> pulled = new HashSet<>();
    List<Integer> sizes = new ArrayList<>();
    for (int turn = 0; turn < 4; turn++) {
      List<GateStep> pulls = machine.pulls(state);
      sizes.add(pulls.size());
      for (GateStep step : pulls) {
        GateStep.Pull pull = (GateStep.Pull) step;
        assertThat(pull.lanes()).hasSize(LANES);
        assertThat(pulled.add(pull.type())).as(pull.type()).isTrue();
        state = state.apply(new GateEvent.Pulled(pull.type()));
      }
    }
    int most = Window.NAMED / LANES;
    assertThat(sizes).containsExactly(most, most, TYPES - 2 * most, 0);
    assertThat(pulled).hasSize(TYPES);
  }
}
