package io.callboard.workflows.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.callboard.workflows.internal.instance.InstanceFold;
import io.callboard.workflows.internal.intake.StartDesk;
import io.callboard.workflows.internal.intake.StartGate;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.internal.protocol.InstanceEvent;
import io.callboard.workflows.internal.protocol.InstanceSpec;
import io.callboard.workflows.model.BrakeOverride;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartAdmissionTest {
  private static final Instant NOW = Instant.parse("2026-11-25T18:00:00Z");
  private static final InstanceSpec SPEC =
      new InstanceSpec(
          "i1",
          "d",
          "v1",
          JsonNodeFactory.instance.objectNode(),
          5,
          Map.of(),
          null,
          null,
          NOW,
          null);

  private final StartGate gate = new StartGate("n", "b");
  private final InstanceData data =
      InstanceFold.apply(InstanceData.NONE, new InstanceEvent.Created(SPEC));

  /** Its node before was given the permit and has told it, when it had left that node already. */
  @Test
  void aPermitThatTheGateDidNotGiveIsIgnored() {
    StartDesk desk = new StartDesk(1, List.of(), Map.of(), 1_000, NOW);
    desk.override("d", new BrakeOverride(0, "ann", null, NOW), NOW);
    assertThat(gate.answered(desk.report(gate.report(), NOW), NOW)).isEmpty();
    assertThat(gate.begins("d", "i1", NOW)).isFalse();
    StartAdmission pass = new StartAdmission(gate);
    assertThat(pass.holds(data)).isTrue();
    assertThat(pass.release(data)).isFalse();
    assertThat(pass.holds(data)).as("it waits still").isTrue();
    desk.override("d", null, NOW);
    assertThat(gate.answered(desk.report(gate.report(), NOW), NOW)).containsExactly("i1");
    assertThat(pass.release(data)).isTrue();
    assertThat(pass.holds(data)).isFalse();
  }
}
