package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.gate.GateState;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run that its host disowns, while another waits for its slot. */
class GateDisownTest {
  private final TestedActor<GateCommand> gate =
      TestedActor.<GateCommand>of(Gate::new)
          .path(Gate.PATH)
          .from(
              new GateState(
                  GateState.empty().types(),
                  Map.of("waits", new WaitingRun(1, "process", 5, Instant.EPOCH, null, null, 1)),
                  Map.of(
                      "lost",
                      new GateState.Handle(
                          1, "process", "h", "b", Instant.EPOCH, 1, 0, null, null)),
                  1,
                  1))
          .once() // the time of a grant is that of the clock
          .start();

  private Effects tells(GateCommand command) {
    return gate.tell(command);
  }

  @Test
  void theSlotOfADisownedRunIsGrantedAtOnce() {
    Effects joined = tells(new GateCommand.Members(List.of("h/b"), List.of(), null));
    Effects reported =
        tells(new GateCommand.Report("h", "b", 1, List.of(), Instant.EPOCH, 0, 1L, null));
    for (Effects before : List.of(joined, reported)) {
      assertThat(before.sentTo(JobActor.path("waits"))).as("there is no slot").isEmpty();
    }

    Effects effects = tells(new GateCommand.Disowned("h", "b", List.of("lost/1")));

    assertThat(effects.sentTo(JobActor.path("lost")))
        .singleElement()
        .isInstanceOf(JobCommand.Lost.class);
    assertThat(effects.sentTo(JobActor.path("waits")))
        .as("without waiting for the next tick")
        .singleElement()
        .isInstanceOf(JobCommand.Granted.class);
  }
}
