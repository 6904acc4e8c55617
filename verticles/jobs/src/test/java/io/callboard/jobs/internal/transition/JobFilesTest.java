package io.callboard.jobs.internal.transition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.codecs.Json;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.JobFiles;
import io.callboard.jobs.model.FailedKill;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RunOutput;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a job keeps of what its runs wrote and report. */
class JobFilesTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private final JobMachine machine = new JobMachine(new SplittableRandom(1));

  private static FileContent content(String text) {
    return FileContent.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static RunOutput output(
      @Nullable String checkpoint, @Nullable String result, @Nullable String logEnd) {
    return new RunOutput(
        null,
        checkpoint == null ? null : content(checkpoint),
        result == null ? null : content(result),
        logEnd == null ? null : content(logEnd),
        List.of());
  }

  private JobData queued() {
    JobSpec spec = JobSpec.process("process", List.of("true"));
    return machine.submitted(new JobCommand.Submit("j", spec, NOW), NOW);
  }

  private JobData running(JobData job) {
    int run = job.nextRunId();
    JobData granted =
        machine
            .granted(job, new JobCommand.Granted(run, "h1", "boot", run, NOW, null, 0), NOW)
            .now();
    return machine.started(granted, new JobCommand.Started(run, NOW), NOW).now();
  }

  private JobData ended(JobData job, int code, RunOutput output) {
    int run = Objects.requireNonNull(job.lastRun()).runId();
    return machine.ended(job, new JobCommand.Ended(run, code, null, true, NOW, output), NOW).now();
  }

  private static @Nullable FileContent checkpoint(JobData job) {
    JobFiles files = job.files();
    return files == null ? null : files.checkpoint();
  }

  @Test
  void aCheckpointStaysUntilARunSucceeds() {
    JobData job = running(queued());
    job = machine.wrote(job, new JobCommand.Wrote(1, output("a", null, null), NOW), NOW).now();
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
    job = ended(job, 1, RunOutput.NONE);
    assertThat(checkpoint(job)).isEqualTo(content("a"));
    assertThat(job.detail().checkpointAt()).isEqualTo(NOW);
    job = running(machine.rerun(job, NOW).now());
    job = ended(job, 1, output("b", null, null));
    assertThat(checkpoint(job)).isEqualTo(content("b"));
    job = ended(running(machine.rerun(job, NOW).now()), 0, output("c", "1", null));
    assertThat(checkpoint(job)).isNull();
  }

  /** Such a result could be sent and not be read: nobody would learn that the job has ended. */
  @Test
  void aResultBeyondTheLimitsOfJsonIsShownAsTextAndNotSent() {
    for (int levels : List.of(81, 90, 101, 5_000)) {
      String result = "[".repeat(levels) + "]".repeat(levels);
      JobData job = ended(running(queued()), 0, output(null, result, null));
      assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
      assertThat(Json.read("it", Json.bytes(job.end()), JobEnded.class)).isEqualTo(job.end());
      assertThat(job.end().result()).isNull();
      assertThat(job.end().lacksResult()).contains("the result", "nested deeper than");
      assertThat(job.detail().result()).isEqualTo(TextNode.valueOf(result));
    }
    String name = "{\"" + "x".repeat(5_000) + "\":1}";
    assertThat(ended(running(queued()), 0, output(null, name, null)).end().lacksResult())
        .contains("a field name in it is longer than 4,096 bytes");
    for (String good : List.of("[".repeat(80) + "]".repeat(80), "{\"n\":1}", "[no json")) {
      JobData job = ended(running(queued()), 0, output(null, good, null));
      assertThat(job.end().lacksResult()).isNull();
      assertThat(job.end().result()).isEqualTo(job.detail().result()).isNotNull();
    }
  }

  @Test
  void aCheckpointOfALostRunIsForTheNext() {
    JobData job = running(queued());
    JobCommand.Lost lost =
        new JobCommand.Lost(1, "its node stopped", NOW, false, output("a", null, "end"));
    job = machine.lost(job, lost, NOW).now();
    assertThat(job.state()).isEqualTo(JobState.QUEUED);
    assertThat(checkpoint(job)).isEqualTo(content("a"));
    assertThat(job.detail().runs().get(0).logEnd()).isEqualTo("end");
  }

  @Test
  void filesOfAnotherRunAreRefused() {
    JobData job = ended(running(queued()), 1, RunOutput.NONE);
    JobData same =
        machine.wrote(job, new JobCommand.Wrote(1, output("a", null, null), NOW), NOW).now();
    assertThat(checkpoint(same)).isNull();
    assertThat(last(same)).isEqualTo("refused: files of run 1 in state DEAD");
  }

  @Test
  void aHostThatIsBackAddsTheEndOfTheLogOfARunThatIsOver() {
    JobData job = running(queued());
    job = machine.lost(job, new JobCommand.Lost(1, "its host is dead", NOW, true), NOW).now();
    job = running(job);
    job = machine.wrote(job, new JobCommand.Wrote(1, output("a", null, "end"), NOW), NOW).now();
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
    assertThat(job.detail().runs().get(0).logEnd()).isEqualTo("end");
    assertThat(checkpoint(job)).as("run 2 has begun without it").isNull();
  }

  private static String last(JobData job) {
    List<JobEvent> events = job.events();
    return events.get(events.size() - 1).what();
  }

  @Test
  void aResultIsJsonOrText() {
    JobData job = ended(running(queued()), 0, output(null, "42\n", null));
    assertThat(job.detail().result()).isEqualTo(IntNode.valueOf(42));
    assertThat(job.view().result()).as("not where many are listed").isNull();
    job = machine.rerun(job, NOW).now();
    assertThat(job.detail().result()).as("of the run before").isNull();
    job = ended(running(job), 0, output(null, "12 apples", null));
    assertThat(job.detail().result()).isEqualTo(TextNode.valueOf("12 apples"));
  }

  @Test
  void theEndsOfTheLastLogsAreKept() {
    JobData job = queued();
    for (int run = 1; run <= 12; run++) {
      job = ended(running(job), 1, output(null, null, "end " + run));
      job = machine.rerun(job, NOW).now();
    }
    assertThat(job.detail().runs()).extracting("logEnd").containsSubsequence(null, null, "end 3");
    assertThat(job.detail().runs().get(11).logEnd()).isEqualTo("end 12");
    assertThat(job.view().runs()).extracting("logEnd").containsOnlyNulls();
  }

  @Test
  void progressIsSeenInTheRunAndIsNoEvent() {
    JobData job = running(queued());
    int events = job.events().size();
    job = machine.progressed(job, new JobCommand.Progressed(1, "1 of 2", NOW), NOW).now();
    assertThat(job.runs().get(0).progress()).isEqualTo("1 of 2");
    assertThat(job.events()).hasSize(events);
    job = machine.stalled(job, new JobCommand.Stalled(1, NOW), NOW).now();
    assertThat(job.state()).isEqualTo(JobState.STALLED);
    job = machine.progressed(job, new JobCommand.Progressed(1, null, null), NOW).now();
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
    assertThat(last(job)).isEqualTo("run 1 makes progress again");
    assertThat(job.runs().get(0).progress()).isEqualTo("1 of 2");
  }

  @Test
  void anOutputThatIsNotKeptIsOneEvent() {
    RunOutput refused = new RunOutput(null, null, null, null, List.of("it is too large"));
    JobData job = running(queued());
    job = machine.wrote(job, new JobCommand.Wrote(1, refused, NOW), NOW).now();
    job = ended(job, 0, refused);
    assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(job.events())
        .filteredOn(event -> event.what().equals("run 1: it is too large"))
        .hasSize(1);
  }

  @Test
  void aFailedKillIsAnEventUntilTheRunIsGone() {
    JobData job = machine.cancel(running(queued()), NOW).now();
    JobCommand.KillFailed left = new JobCommand.KillFailed(1, List.of(12L, 34L), NOW);
    job = machine.killFailed(job, left, NOW).now();
    assertThat(job.state()).isEqualTo(JobState.CANCELLING);
    assertThat(job.failedKill()).isEqualTo(new FailedKill(1, List.of(12L, 34L), NOW));
    assertThat(last(job))
        .isEqualTo(
            "run 1 is not gone: processes 12, 34 are left on h1 after SIGKILL, killed again until"
                + " none is");
    assertThat(machine.killFailed(job, left, NOW).next()).as("the same again").isNull();
    job = ended(job, 137, RunOutput.NONE);
    assertThat(job.state()).isEqualTo(JobState.CANCELLED);
    assertThat(job.failedKill()).isNull();
  }

  @Test
  void aHandlerThatDoesNotEndIsOneEventWhereverItsThreadIs() {
    JobData job = machine.cancel(running(queued()), NOW).now();
    int before = job.events().size();
    for (int look = 0; look < 60; look++) {
      JobCommand.KillFailed left =
          new JobCommand.KillFailed(1, List.of(), NOW, "thread jobs-0\n\tat Report.line" + look);
      job = machine.killFailed(job, left, NOW).now();
    }
    assertThat(job.events().size() - before).isEqualTo(1);
    assertThat(job.failedKill().stack()).endsWith("line59");
  }
}
