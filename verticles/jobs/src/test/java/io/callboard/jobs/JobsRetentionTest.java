package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.jobs.actor.JobActor;
import io.callboard.jobs.history.RunFileSweep;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.process.ProcessRunner;
import io.callboard.jobs.process.files.JobDirectories;
import io.callboard.jobs.process.files.LogLimits;
import io.callboard.jobs.process.files.RunDirectories;
import io.callboard.jobs.process.run.RunHome;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Retention of ended jobs without a database: by number, the oldest successes first. */
class JobsRetentionTest {
  private static final int KEPT = 3;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private Callboard callboard;
  private Jobs jobs;
  private Path data;

  @BeforeEach
  void start() throws Exception {
    data = Files.createDirectories(Path.of("target", "jobs-test", UUID.randomUUID().toString()));
    callboard = nodes.open("h1");
    JobRetention retention = JobRetention.DEFAULT.records(KEPT, Duration.ofDays(1));
    jobs = await(Jobs.start(callboard, new JobsOptions(data, home(), 4, 50, retention)));
  }

  private String home() {
    return String.valueOf(data.getFileName());
  }

  @AfterEach
  void stop() {
    await(jobs.close());
  }

  private Job submit(String key, String... command) {
    return await(jobs.submit(JobSpec.process("process", List.of(command)), key)).job();
  }

  private void ends(Job job) {
    Eventually.assertThat(
        Duration.ofSeconds(20),
        () -> assertThat(jobs.counts().byState().keySet()).allMatch(JobState::terminal));
  }

  private List<String> records() {
    List<String> paths = new ArrayList<>();
    await(
        callboard
            .admin()
            .stored(
                ActorPath.of(JobActor.PREFIX),
                page ->
                    page.readable().stream()
                        .filter(job -> job.record().newest().isPresent())
                        .forEach(job -> paths.add(job.path().name()))));
    return paths;
  }

  @Test
  void theOldestSuccessesLeaveAndNoSubmissionIsRefused() {
    Job failed = submit(null, "false");
    ends(failed);
    Job last = failed;
    for (int i = 0; i < 10; i++) {
      last = submit(null, "true");
      ends(last);
    }
    String newest = last.id();
    Eventually.assertThat(
        Duration.ofSeconds(20),
        () ->
            assertThat(records())
                .as("nothing is left of the others")
                .hasSize(KEPT)
                .contains(failed.id(), newest));
    Eventually.assertThat(
        () ->
            assertThat(jobs.counts().byState())
                .containsEntry(JobState.DEAD, 1L)
                .containsEntry(JobState.SUCCEEDED, KEPT - 1L));
    ends(submit(null, "true"));
  }

  @Test
  void aKeyOfAJobThatIsNotKeptRunsNothingAgain() {
    Job job = submit("key", "true");
    ends(job);
    for (int i = 0; i < KEPT; i++) {
      ends(submit(null, "true"));
    }
    Eventually.assertThat(
        Duration.ofSeconds(20),
        () ->
            assertThatThrownBy(() -> await(jobs.job(job.id())))
                .hasMessageStartingWith("there is no job"));
    assertThatThrownBy(() -> submit("key", "true"))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.ILLEGAL_STATE))
        .hasMessageContaining("is that of job " + job.id());
  }

  @Test
  void theFilesOfJobsWithoutARecordAreDeleted() throws Exception {
    Job gone = submit(null, "true");
    ends(gone);
    for (int i = 0; i < KEPT; i++) {
      ends(submit(null, "true"));
    }
    Eventually.assertThat(
        Duration.ofSeconds(20), () -> assertThat(records()).doesNotContain(gone.id()));
    RunHome home = new RunHome(data, home(), callboard.bootId(), "h1");
    Clock later = Clock.offset(Clock.systemUTC(), RunFileSweep.KEPT.plusMinutes(1));
    ProcessRunner none =
        await(ProcessRunner.open(callboard.vertx(), home, LogLimits.DEFAULT, later));
    RunFileSweep young = sweep(home, none, Clock.systemUTC());
    await(young.sweep());
    assertThat(data.resolve("control").resolve(gone.id())).exists();
    await(sweep(home, none, later).sweep());
    assertThat(data.resolve("control").resolve(gone.id())).doesNotExist();
    assertThat(data.resolve("runs").resolve(gone.id())).doesNotExist();
    for (String kept : records()) {
      assertThat(data.resolve("control").resolve(kept)).exists();
    }
  }

  private RunFileSweep sweep(RunHome home, ProcessRunner processes, Clock clock) {
    return new RunFileSweep(
        callboard,
        processes,
        new RunDirectories(home, LogLimits.DEFAULT),
        new JobDirectories(home),
        id -> false,
        RunFileSweep.KEPT,
        clock);
  }
}
