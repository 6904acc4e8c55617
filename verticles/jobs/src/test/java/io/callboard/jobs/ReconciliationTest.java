package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.JobsWorld.Flaw;
import io.callboard.jobs.internal.gate.GateState.Handle;
import io.callboard.jobs.internal.process.PlayedMachine;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.testkit.internal.world.WorldTime;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each row of the reconciliation table, made to happen in a world without other faults. */
class ReconciliationTest {
  private static final String JOB = "a";
  private static final String OTHER = "b";

  private final JobsWorld world =
      new JobsWorld(
          1,
          Flaw.NONE,
          List.of("h1", "h2"),
          List.of(JobsWorld.type("etl", 1, null), JobsWorld.type("mail", 5, null)));

  private final Map<Reconciliation, Runnable> scenarios = new EnumMap<>(Reconciliation.class);

  ReconciliationTest() {
    scenarios.put(Reconciliation.REFRESHED, this::aReportedRunKeepsItsHandle);
    scenarios.put(Reconciliation.STALLED, this::aRunWithoutProgressIsStalled);
    scenarios.put(Reconciliation.ABSENT, this::aRunThatDoesNotExistIsReleased);
    scenarios.put(Reconciliation.STALE, this::anEarlierRunIsKilled);
    scenarios.put(Reconciliation.ORPHAN, this::aRunWithoutAHandleIsKilled);
    scenarios.put(Reconciliation.SUSPECT, this::silenceKeepsTheSlot);
    scenarios.put(Reconciliation.LOST, this::theRunsOfADeadHostAreLost);
    scenarios.put(Reconciliation.ASKED, this::aHostThatOwesAReportIsAskedForIt);
    scenarios.put(Reconciliation.ALIVE, this::theJobLearnsHowARunWithoutProgressIs);
    scenarios.put(Reconciliation.GONE, this::aRunThatIsGoneWhenItIsAskedForIsReleased);
    scenarios.put(Reconciliation.UNANSWERED, this::aRunOfWhichItsHostSaysNothingIsSuspect);
  }

  @ParameterizedTest
  @EnumSource
  void happensAndHasItsConsequence(Reconciliation row) {
    seconds(15); // both hosts have reported
    assertThat(scenarios).as("rows with a scenario").containsOnlyKeys(Reconciliation.values());
    scenarios.get(row).run();
    assertThat(world.rows()).as("rows that happened").containsKey(row);
  }

  private void seconds(int count) {
    world.runFor(count * WorldTime.SECOND);
  }

  private void submits(String job, String type, int lasts, int stallsAfter) {
    JobSpec plain = JobSpec.process(type, List.of("work"));
    JobSpec spec =
        JobSpec.process(type, plain.command())
            .withTimeouts(new JobSpec.JobTimeouts(null, null, null, Duration.ofSeconds(5)));
    world.submit(
        job,
        spec,
        new PlayedMachine.Plan(
            lasts * WorldTime.SECOND, 0, stallsAfter * WorldTime.SECOND, true, 0));
    seconds(2);
  }

  private JobState state(String job) {
    return world.job(job).state();
  }

  private Handle handle(String job) {
    return world.gateState().handles().get(job);
  }

  private boolean isAlive(String job, int runId) {
    return world.history().isAlive(new RunKey(job, runId));
  }

  private void aReportedRunKeepsItsHandle() {
    submits(JOB, "etl", 60, 100);
    Handle granted = handle(JOB);
    seconds(50);
    assertThat(handle(JOB)).isEqualTo(granted);
    assertThat(state(JOB)).isEqualTo(JobState.RUNNING);
    seconds(20);
    assertThat(state(JOB)).isEqualTo(JobState.SUCCEEDED);
    assertThat(world.rows()).containsOnlyKeys(Reconciliation.REFRESHED);
  }

  private void aRunWithoutProgressIsStalled() {
    submits(JOB, "etl", 60, 10);
    seconds(20);
    assertThat(state(JOB)).isEqualTo(JobState.STALLED);
    assertThat(isAlive(JOB, 1)).isTrue();
    assertThat(handle(JOB)).isNotNull();
    seconds(45);
    assertThat(state(JOB)).isEqualTo(JobState.SUCCEEDED);
  }

  private void aRunThatDoesNotExistIsReleased() {
    world.loses((to, message) -> message instanceof MonitorCommand.Start);
    submits(JOB, "etl", 10, 100);
    seconds(5);
    assertThat(handle(JOB).runId()).as("within the grace of a start").isEqualTo(1);
    world.loses((to, message) -> false);
    seconds(30);
    assertThat(world.history().hasBegun(new RunKey(JOB, 1))).isFalse();
    assertThat(world.job(JOB).runs()).hasSize(2);
    assertThat(world.job(JOB).runs().get(0).state()).isEqualTo("LOST");
    assertThat(state(JOB)).isIn(JobState.RUNNING, JobState.SUCCEEDED);
  }

  /** A forged loss makes the job run again while its first run is alive. */
  private void anEarlierRunIsKilled() {
    world.history().forged();
    submits(JOB, "mail", 60, 100);
    world.tellJob(JOB, new JobCommand.Lost(1, "forged", JobsWorld.EPOCH, false));
    seconds(20);
    assertThat(world.history().wasKilled(new RunKey(JOB, 1))).isTrue();
    assertThat(isAlive(JOB, 2)).isTrue();
    assertThat(handle(JOB).runId()).isEqualTo(2);
    seconds(60);
    assertThat(state(JOB)).isEqualTo(JobState.SUCCEEDED);
  }

  /** A forged release leaves a run without a handle. */
  private void aRunWithoutAHandleIsKilled() {
    world.history().forged();
    submits(JOB, "mail", 60, 100);
    world.tellGate(new GateCommand.Release(JOB, 1));
    seconds(1);
    assertThat(handle(JOB)).isNull();
    seconds(15);
    assertThat(isAlive(JOB, 1)).isFalse();
    assertThat(world.history().wasKilled(new RunKey(JOB, 1))).isTrue();
  }

  private void silenceKeepsTheSlot() {
    submits(JOB, "etl", 120, 1_000);
    submits(OTHER, "etl", 1, 1_000);
    world.loses((to, message) -> message instanceof GateCommand.Report);
    seconds(60);
    assertThat(state(JOB)).isEqualTo(JobState.SUSPECT);
    assertThat(handle(JOB).runId()).isEqualTo(1);
    assertThat(state(OTHER)).isEqualTo(JobState.QUEUED);
    world.loses((to, message) -> false);
    seconds(30);
    assertThat(state(JOB)).isEqualTo(JobState.RUNNING);
    seconds(60);
    assertThat(List.of(state(JOB), state(OTHER))).containsOnly(JobState.SUCCEEDED);
  }

  private List<String> events(String job) {
    return world.job(job).events().stream().map(JobEvent::what).toList();
  }

  /** Its own reports are lost until the gate has asked. */
  private void aHostThatOwesAReportIsAskedForIt() {
    submits(JOB, "etl", 60, 1_000);
    world.loses(
        (to, message) ->
            message instanceof GateCommand.Report
                && !world.rows().containsKey(Reconciliation.ASKED));
    seconds(50);
    assertThat(state(JOB)).isEqualTo(JobState.RUNNING);
    assertThat(events(JOB)).noneMatch(event -> event.contains("does not report"));
    seconds(20);
    assertThat(state(JOB)).isEqualTo(JobState.SUCCEEDED);
  }

  private void theJobLearnsHowARunWithoutProgressIs() {
    submits(JOB, "etl", 60, 10);
    seconds(40);
    assertThat(state(JOB)).isEqualTo(JobState.STALLED);
    assertThat(events(JOB)).filteredOn(event -> event.contains("was asked how")).hasSize(1);
    assertThat(events(JOB))
        .anyMatch(event -> event.contains("alive with 1 process, last progress"));
    seconds(25);
    assertThat(state(JOB)).isEqualTo(JobState.SUCCEEDED);
  }

  /** A forged report says that a run which has never begun makes no progress. */
  private void aRunThatIsGoneWhenItIsAskedForIsReleased() {
    world.loses((to, message) -> message instanceof MonitorCommand.Start);
    submits(JOB, "etl", 10, 1_000);
    Handle granted = handle(JOB);
    world.loses((to, message) -> false);
    world.tellGate(
        new GateCommand.Report(
            granted.host(),
            granted.boot(),
            JobsWorld.SLOTS,
            List.of(JOB + "/1"),
            JobsWorld.EPOCH,
            granted.term(),
            1_000L,
            null,
            null,
            Map.of(JOB + "/1", JobsWorld.EPOCH),
            null,
            null));
    seconds(5);
    assertThat(world.job(JOB).runs().get(0).state()).isEqualTo("LOST");
    assertThat(world.history().hasBegun(new RunKey(JOB, 1))).isFalse();
    seconds(30);
    assertThat(state(JOB)).isEqualTo(JobState.SUCCEEDED);
  }

  private void aRunOfWhichItsHostSaysNothingIsSuspect() {
    submits(JOB, "etl", 150, 1_000);
    submits(OTHER, "etl", 1, 1_000);
    world.machine(handle(JOB).host()).unreadable(true);
    seconds(60);
    assertThat(state(JOB)).isEqualTo(JobState.SUSPECT);
    assertThat(events(JOB)).anyMatch(event -> event.contains("does not say how run 1 is: asked"));
    assertThat(handle(JOB).runId()).isEqualTo(1);
    assertThat(state(OTHER)).as("the slot stays taken").isEqualTo(JobState.QUEUED);
    world.machine(handle(JOB).host()).unreadable(false);
    seconds(65);
    assertThat(state(JOB)).isEqualTo(JobState.RUNNING);
    seconds(40);
    assertThat(List.of(state(JOB), state(OTHER))).containsOnly(JobState.SUCCEEDED);
  }

  private void theRunsOfADeadHostAreLost() {
    submits(JOB, "etl", 30, 100);
    String first = handle(JOB).host();
    world.kill(world.node(first));
    seconds(5);
    assertThat(handle(JOB).runId()).as("while the session of its host lasts").isEqualTo(1);
    seconds(60);
    JobData job = world.job(JOB);
    assertThat(job.runs()).hasSize(2);
    assertThat(job.runs().get(0).state()).isEqualTo("LOST");
    assertThat(job.runs().get(1).host()).isNotEqualTo(first);
    assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
  }
}
