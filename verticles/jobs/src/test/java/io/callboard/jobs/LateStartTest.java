package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.JobsWorld.Flaw;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.process.PlayedMachine;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.testkit.internal.world.WorldTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request to start a run that comes once more, after its job has gone on without that run. */
class LateStartTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5}) // some starts are so slow that the gate has them killed
  void aRunThatCouldNotBeStartedNeverStartsLater(long seed) {
    JobsWorld world =
        new JobsWorld(seed, Flaw.NONE, List.of("h1"), List.of(JobsWorld.type("etl", 1, null)));
    world.runFor(15 * WorldTime.SECOND);
    List<MonitorCommand.Start> starts = new ArrayList<>();
    world.loses(
        (to, message) -> {
          if (message instanceof MonitorCommand.Start start) {
            starts.add(start);
          }
          return false;
        });
    world.machine("h1").full(true);
    world.submit(
        "a",
        JobSpec.process("etl", List.of("work")),
        new PlayedMachine.Plan(60 * WorldTime.SECOND, 0, Long.MAX_VALUE, true, 0));
    world.runFor(5 * WorldTime.SECOND);
    world.machine("h1").full(false);
    world.runFor(20 * WorldTime.SECOND);
    assertThat(world.job("a").runs().get(0).state()).isEqualTo("NOT_STARTED");
    assertThat(world.job("a").state()).isEqualTo(JobState.RUNNING);

    world.cell().send(HostMonitor.path("h1"), starts.get(0));
    world.runFor(10 * WorldTime.SECOND);
    assertThat(world.history().hasBegun(new RunKey("a", 1))).isFalse();
  }
}
