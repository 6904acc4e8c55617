package io.callboard.jobs.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.codecs.CodecException;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.RunLook;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RunOutput;
import io.callboard.jobs.model.RunState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The machine with the run of a job in each state, and each message that names it. */
class RunStatesTest {
  private static final Instant NOW = Instant.parse("2026-11-27T10:00:00Z");

  private final JobMachine machine = new JobMachine(new SplittableRandom(1));

  private JobData admitted() {
    JobData job =
        machine.submitted(
            new JobCommand.Submit("j", JobSpec.process("process", List.of("true")), NOW), NOW);
    return decide(job, JobTrigger.GRANTED, 0).now();
  }

  private JobData running() {
    return decide(admitted(), JobTrigger.STARTED, 0).now();
  }

  /** Returns a job whose run is in that state. */
  private JobData in(RunState state) {
    return switch (state) {
      case ADMITTED -> admitted();
      case RUNNING -> running();
      case SUCCEEDED -> decide(running(), JobTrigger.ENDED, 0).now();
      case FAILED -> decide(running(), JobTrigger.ENDED, 1).now();
      case CANCELLED -> decide(machine.cancel(running(), NOW).now(), JobTrigger.ENDED, 143).now();
      case LOST -> decide(running(), JobTrigger.LOST, 0).now();
      case NOT_STARTED -> decide(admitted(), JobTrigger.NOT_STARTED, 0).now();
    };
  }

  /** Decides a message about run 1. */
  private JobDecision decide(JobData job, JobTrigger trigger, int exitCode) {
    return switch (trigger) {
      case GRANTED ->
          machine.granted(job, new JobCommand.Granted(1, "h", "b", 1, NOW, null, 0), NOW);
      case STARTED -> machine.started(job, new JobCommand.Started(1, NOW), NOW);
      case SILENT -> machine.silent(job, new JobCommand.Silent(1, "it does not report"), NOW);
      case HEARD -> machine.heard(job, new JobCommand.Heard(1), NOW);
      case STALLED -> machine.stalled(job, new JobCommand.Stalled(1, NOW), NOW);
      case PROGRESSED -> machine.progressed(job, new JobCommand.Progressed(1, "half", NOW), NOW);
      case WROTE -> machine.wrote(job, new JobCommand.Wrote(1, RunOutput.NONE, NOW), NOW);
      case INSPECTED ->
          machine.inspected(job, new JobCommand.Inspected(1, new RunLook(0, null, true), NOW), NOW);
      case KILL_FAILED ->
          machine.killFailed(job, new JobCommand.KillFailed(1, List.of(7L), NOW), NOW);
      case ENDED -> machine.ended(job, new JobCommand.Ended(1, exitCode, null, true, NOW), NOW);
      case NOT_STARTED ->
          machine.notStarted(job, new JobCommand.NotStarted(1, "cannot write", NOW), NOW);
      case LOST -> machine.lost(job, new JobCommand.Lost(1, "its host is dead", NOW, false), NOW);
      default -> throw new IllegalArgumentException(trigger + " names no run");
    };
  }

  private static JobRun run(JobData job) {
    return Objects.requireNonNull(job.lastRun());
  }

  private static RunState state(JobData job) {
    return RunState.valueOf(run(job).state());
  }

  @ParameterizedTest
  @EnumSource
  void aRunChangesAndRefusesAsTheTableSays(RunState before) {
    for (JobTrigger trigger : RunTransitionTest.OF_RUNS) {
      for (int exitCode : new int[] {0, 1}) {
        JobData job = in(before);
        assertThat(state(job)).isEqualTo(before);
        assertThat(run(job).endedAt() == null).as("%s is open", before).isEqualTo(before.isOpen());
        RunTransition rule = RunTransition.of(before, trigger, new RunFacts(exitCode == 0, false));
        JobDecision decision = decide(job, trigger, exitCode);
        assertThat(state(decision.now()))
            .as("%s in %s", trigger, before)
            .isEqualTo(rule.to() == null ? before : rule.to());
        if (rule.refuses()) {
          refused(decision, trigger + " in " + before);
        }
      }
    }
  }

  private static void refused(JobDecision decision, String pair) {
    JobData now = decision.now();
    assertThat(decision.rule().to()).as(pair).isNull();
    assertThat(decision.rule().has(JobEffect.NOTE)).as(pair).isTrue();
    assertThat(now.runs()).as(pair).isEqualTo(decision.job().runs());
    assertThat(now.state()).as(pair).isEqualTo(decision.job().state());
    assertThat(now.events().get(now.events().size() - 1).what())
        .as(pair)
        .startsWith("refused: ")
        .contains("run 1");
  }

  /** Its process may be alive: were the slot given back, or the job queued, two would run. */
  @ParameterizedTest
  @EnumSource(names = {"RUNNING", "STALLED", "SUSPECT", "CANCELLING"})
  void aRunThatHasStartedKeepsItsSlotWhateverItsHostSaysOfTheStart(JobState state) {
    JobData job =
        switch (state) {
          case STALLED -> decide(running(), JobTrigger.STALLED, 0).now();
          case SUSPECT -> decide(running(), JobTrigger.SILENT, 0).now();
          case CANCELLING -> machine.cancel(running(), NOW).now();
          default -> running();
        };
    assertThat(job.state()).isEqualTo(state);
    JobDecision decision = decide(job, JobTrigger.NOT_STARTED, 0);
    refused(decision, "NOT_STARTED in " + state);
    assertThat(decision.rule()).isEqualTo(JobTransition.NOT_STARTED_REFUSED);
    assertThat(decision.rule().has(JobEffect.GIVE_BACK)).isFalse();
    JobData lost = decide(decision.now(), JobTrigger.LOST, 0).now();
    assertThat(state(lost)).as("the gate misses it there").isEqualTo(RunState.LOST);
  }

  /** Those that are about a run, which a grant begins. */
  private static Set<JobTrigger> reports() {
    Set<JobTrigger> reports = EnumSet.copyOf(RunTransitionTest.OF_RUNS);
    reports.remove(JobTrigger.GRANTED);
    return reports;
  }

  @Test
  void aRunInAStateOfANewerNodeIsNotDecidedHere() {
    JobData job = SampleRuns.in(running(), "PAUSED", null);
    for (JobTrigger trigger : reports()) {
      assertThatThrownBy(() -> decide(job, trigger, 0))
          .as(trigger.name())
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("the state of run 1 of job j is \"PAUSED\", this node knows [AD")
          .hasMessageContaining("it was written by a newer node")
          .hasMessageContaining("upgrade this node");
    }
    assertThatThrownBy(() -> JobMachine.checkRun(job)).isInstanceOf(CodecException.class);
    assertThat(machine.cancel(job, NOW).now().state())
        .as("is about no run")
        .isEqualTo(JobState.CANCELLING);
  }

  @Test
  void aRunThatHasEndedIsOverWhateverANewerNodeCallsItsEnd() {
    JobData job = SampleRuns.in(in(RunState.SUCCEEDED), "SKIPPED", NOW);
    JobMachine.checkRun(job);
    for (JobTrigger trigger : reports()) {
      refused(decide(job, trigger, 0), trigger + " after an end of a newer node");
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachStateOfThisVersionIsKnown(RunState state) {
    JobMachine.checkRun(in(state));
  }
}
