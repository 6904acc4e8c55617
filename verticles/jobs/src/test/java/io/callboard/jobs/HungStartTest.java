package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.JobsWorld.Flaw;
import io.callboard.jobs.internal.process.PlayedMachine;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.testkit.internal.world.WorldTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A disk on which starts hang, in a cell: its host is granted nothing until one returns. */
class HungStartTest {
  private final JobsWorld world =
      new JobsWorld(
          1, Flaw.NONE, List.of("h1"), List.of(JobsWorld.type("etl", JobsWorld.SLOTS, null)));

  private void submits(String job) {
    world.submit(
        job,
        JobSpec.process("etl", List.of("work")),
        new PlayedMachine.Plan(30 * WorldTime.SECOND, 0, Long.MAX_VALUE, true, 0));
  }

  private JobState state(String job) {
    return world.job(job).state();
  }

  @Test
  void aHostWhoseStartsHangIsGrantedNoRunsAndTheRunsItHasKeepTheirSlots() {
    world.runFor(15 * WorldTime.SECOND);
    world.machine("h1").hangs(true);
    submits("a");
    world.runFor(40 * WorldTime.SECOND);
    assertThat(state("a")).isEqualTo(JobState.ADMITTED);

    submits("b");
    world.runFor(60 * WorldTime.SECOND);
    assertThat(state("b")).as("though slots are free").isEqualTo(JobState.QUEUED);
    assertThat(state("a")).isEqualTo(JobState.ADMITTED);
    assertThat(world.gateState().handles()).containsOnlyKeys("a");

    world.machine("h1").hangs(false);
    world.runFor(10 * WorldTime.SECOND);
    assertThat(List.of(state("a"), state("b"))).containsOnly(JobState.RUNNING);
    assertThat(world.job("a").runs()).as("of its first run").hasSize(1);
    world.runFor(60 * WorldTime.SECOND);
    assertThat(List.of(state("a"), state("b"))).containsOnly(JobState.SUCCEEDED);
  }
}
