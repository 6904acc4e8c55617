package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobLog;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a monitor reports of real processes: progress, stalls, checkpoints, results, logs. */
class JobMonitorTest extends JobsOfOneNode {
  private Job submit(RetryPolicy retry, JobTimeouts timeouts, String script) {
    return await(
            jobs.submit(
                JobSpec.process("process", List.of("sh", "-c", script))
                    .withEnv(Map.of("GO", data.resolve("go").toAbsolutePath().toString()))
                    .withRetry(retry)
                    .withTimeouts(timeouts)))
        .job();
  }

  private String events(Job job) {
    return await(jobs.events(job.id())).stream().map(JobEvent::what).toList().toString();
  }

  @Test
  void theNextRunGoesOnFromTheCheckpointAndTheResultIsKept() {
    Job job =
        submit(
            new RetryPolicy(2, Duration.ofMillis(20), Duration.ofSeconds(1)),
            JobTimeouts.NONE,
            "echo \"run $CALLBOARD_RUN_ID from [$CALLBOARD_CHECKPOINT]\";"
                + "if [ $CALLBOARD_RUN_ID = 1 ]; then echo row 7 >c; mv c $CALLBOARD_CHECKPOINT_FILE;"
                + " exit 3; fi; cat $CALLBOARD_CHECKPOINT_FILE; echo 'rows: 9' >$CALLBOARD_RESULT_FILE");

    Job ended = becomes(job, JobState.SUCCEEDED);

    assertThat(ended.result()).isEqualTo(TextNode.valueOf("rows: 9\n"));
    assertThat(ended.runs())
        .extracting("logEnd")
        .containsExactly("run 1 from []\n", "run 2 from [row 7\n]\nrow 7\n");
    assertThat(ended.checkpointAt()).isNull();
  }

  @Test
  void theEndOfALogIsThereThoughItsHostCannotServeIt() throws Exception {
    Job job =
        becomes(
            submit(RetryPolicy.ONCE, JobTimeouts.NONE, "printf '\\033[31mone\\033[0m\\ntwo\\n'"),
            JobState.SUCCEEDED);
    Path log = data.resolve("control").resolve(job.id()).resolve("1").resolve("log");
    Files.delete(log);
    Files.createDirectory(log);

    assertThat(await(jobs.logs().text(job.id(), null, null)))
        .isEqualTo(new JobLog(1, "\u001b[31mone\u001b[0m\ntwo\n", false, true));
    assertThat(await(jobs.logs().text(job.id(), 1, 1)).text()).isEqualTo("two\n");
  }

  @Test
  void aRunThatMakesNoProgressIsStalledUntilItMakesSomeAgain() throws Exception {
    JobTimeouts brief = new JobTimeouts(null, null, null, Duration.ofSeconds(2));
    Job job =
        submit(
            RetryPolicy.ONCE,
            brief,
            "echo 1 of 2 >$CALLBOARD_PROGRESS_FILE; while [ ! -e $GO ]; do sleep 0.05; done;"
                + "echo 2 of 2 >p; mv p $CALLBOARD_PROGRESS_FILE; while [ ! -e $GO.end ]; do"
                + " sleep 0.5; date +%N >c; mv c $CALLBOARD_CHECKPOINT_FILE; done");
    Job stalled = becomes(job, JobState.STALLED);
    assertThat(stalled.runs().get(0).progress()).isEqualTo("1 of 2");
    assertThat(stalled.runs().get(0).stalledSince()).isBefore(Instant.now());
    assertThat(await(jobs.why(job.id()))).extracting(Blocked::kind).containsExactly("stalled");
    String monitor = HostMonitor.path("h1");
    await(callboard.admin().restart(monitor));
    await(callboard.admin().restart(JobActor.path(job.id())));
    Eventually.assertThat(
        () -> {
          Blocked why = await(jobs.why(job.id())).get(0);
          assertThat(why.askedAt()).isNotNull();
          assertThat(why.answer()).matches("alive with \\d+ processes, last progress at .+Z");
        });
    Eventually.assertThat(
        () -> assertThat(events(job)).contains("host h1 was asked how run 1 is: alive with"));
    assertThat(events(job)).as("restarts repeat nothing").containsOnlyOnce("no progress");

    Files.createFile(data.resolve("go"));
    Job moves = becomes(job, JobState.RUNNING);

    assertThat(moves.runs().get(0).progress()).isEqualTo("2 of 2");
    assertThat(moves.runs().get(0).stalledSince()).isNull();
    Eventually.assertThat(() -> assertThat(await(jobs.job(job.id())).checkpointAt()).isNotNull());
    Files.createFile(data.resolve("go.end"));
    Job ended = becomes(job, JobState.SUCCEEDED);
    assertThat(ended.runs()).hasSize(1);
    assertThat(events(job)).contains("run 1 makes progress again");
  }

  /** The limit is the run's own: it counts from its start, whatever becomes of the monitor. */
  @Test
  void theTimeoutOfARunOutlivesARestartOfItsMonitor() {
    JobTimeouts brief = new JobTimeouts(null, Duration.ofSeconds(2), null);
    Job job = submit(RetryPolicy.ONCE, brief, "while [ ! -e $GO ]; do sleep 0.05; done");
    Job runs = becomes(job, JobState.RUNNING);

    await(callboard.admin().restart(HostMonitor.path("h1")));
    Job ended = becomes(job, JobState.DEAD);

    assertThat(ended.error()).contains("its run timeout of PT2S has elapsed");
    assertThat(ended.runs()).hasSize(1);
    assertThat(ended.runs().get(0).startedAt()).isEqualTo(runs.runs().get(0).startedAt());
  }

  @Test
  void aFileThatIsTooLargeIsAnEventAndTheRunGoesOn() {
    Job job =
        submit(
            RetryPolicy.ONCE,
            JobTimeouts.NONE,
            "head -c 70000 /dev/zero >$CALLBOARD_RESULT_FILE; head -c 70000 /dev/zero >checkpoint;"
                + " sleep 1.5");
    Job ended = becomes(job, JobState.SUCCEEDED);

    assertThat(ended.result()).isNull();
    assertThat(events(job))
        .containsOnlyOnce("run 1: its file result is not kept: it has more than 65536 bytes")
        .containsOnlyOnce("run 1: its file checkpoint is not kept: it has more than 65536 bytes");
  }

  @Test
  void aFailedKillIsVisibleUntilTheRunIsGone() {
    Job job = submit(RetryPolicy.ONCE, JobTimeouts.NONE, "exec sleep 1000");
    Job running = becomes(job, JobState.RUNNING);
    assertThat(running.runs()).hasSize(1);
    await(
        callboard
            .durableRef(JobActor.path(job.id()), JobCommand.class)
            .tell(new JobCommand.KillFailed(1, List.of(4_711L), Instant.now())));
    Eventually.assertThat(
        () ->
            assertThat(await(jobs.why(job.id())))
                .extracting(Blocked::kind)
                .containsExactly("kill-failed"));
    assertThat(events(job)).contains("process 4711 is left on h1 after SIGKILL");

    Job cancelling = await(jobs.cancel(job.id()));

    assertThat(cancelling.state()).isEqualTo(JobState.CANCELLING);
    Job cancelled = becomes(job, JobState.CANCELLED);
    assertThat(cancelled.runs().get(0).state()).isEqualTo("CANCELLED");
    assertThat(await(jobs.why(job.id()))).extracting(Blocked::kind).containsExactly("ended");
  }
}
