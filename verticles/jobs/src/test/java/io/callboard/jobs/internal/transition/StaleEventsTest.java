package io.callboard.jobs.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.RunLook;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a job keeps of messages about its first run while the second one is running. */
class StaleEventsTest {
  private static final Instant NOW = Instant.parse("2026-11-27T10:00:00Z");

  private final JobMachine machine = new JobMachine(new SplittableRandom(1));
  private JobData job =
      machine.submitted(
          new JobCommand.Submit("j", JobSpec.process("process", List.of("true")), NOW), NOW);

  @BeforeEach
  void theSecondRunIsRunning() {
    runs(1);
    job = machine.lost(job, new JobCommand.Lost(1, "its host is dead", NOW, false), NOW).now();
    runs(2);
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
  }

  private void runs(int run) {
    job =
        machine
            .granted(job, new JobCommand.Granted(run, "h" + run, "b", run, NOW, null, 0), NOW)
            .now();
    job = machine.started(job, new JobCommand.Started(run, NOW), NOW).now();
  }

  private void keeps(JobDecision decision, String event) {
    assertThat(decision.rule().to()).isNull();
    assertThat(decision.next()).as("it is stored").isNotNull();
    job = decision.now();
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
    assertThat(job.events().get(job.events().size() - 1).what()).isEqualTo(event);
  }

  @Test
  void staleSilenceIsKeptAsAnEvent() {
    keeps(
        machine.silent(job, new JobCommand.Silent(1, "host h1 does not report"), NOW),
        "refused: silence of the host of run 1 in state RUNNING");
  }

  @Test
  void staleNewsOfTheHostIsKeptAsAnEvent() {
    keeps(
        machine.heard(job, new JobCommand.Heard(1), NOW),
        "refused: news of the host of run 1 in state RUNNING");
  }

  @Test
  void aStaleAnswerOfTheHostIsKeptAsAnEvent() {
    RunLook look = new RunLook(0, null, true);
    keeps(
        machine.inspected(job, new JobCommand.Inspected(1, look, NOW), NOW),
        "refused: answer how run 1 is in state RUNNING");
  }

  /** Its host reports it every few seconds, which must not drive out the other events. */
  @Test
  void aStaleFailedKillIsKeptAsOneEventHoweverOftenItIsReported() {
    keeps(failedKill(7), "refused: failed kill of run 1, which is over");
    keeps(
        machine.heard(job, new JobCommand.Heard(1), NOW),
        "refused: news of the host of run 1 in state RUNNING");
    int events = job.events().size();
    for (long pid = 8; pid < 8 + JobData.MOST_EVENTS; pid++) {
      JobDecision again = failedKill(pid);
      assertThat(again.next()).as("nothing to store").isNull();
    }
    assertThat(job.failedKill()).as("it is not of the open run").isNull();
    assertThat(job.events()).hasSize(events).extracting(JobEvent::what).doesNotHaveDuplicates();
  }

  private JobDecision failedKill(long pid) {
    return machine.killFailed(job, new JobCommand.KillFailed(1, List.of(pid), NOW), NOW);
  }
}
