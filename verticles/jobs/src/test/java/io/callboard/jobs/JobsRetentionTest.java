package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.archiving.Archiver;
import io.callboard.jobs.internal.archiving.OldRunFiles;
import io.callboard.jobs.internal.archiving.TypeRetentions;
import io.callboard.jobs.internal.files.JobDirectories;
import io.callboard.jobs.internal.files.LogLimits;
import io.callboard.jobs.internal.files.RunDirectories;
import io.callboard.jobs.internal.files.RunHome;
import io.callboard.jobs.internal.index.IndexPeers;
import io.callboard.jobs.internal.index.JobIndex;
import io.callboard.jobs.internal.process.ProcessRunner;
import io.callboard.jobs.internal.runner.StartPermits;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobRetention;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.TypeRetention;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Retention of ended jobs without a database: by number, the oldest successes first. */
@Tag("real")
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
    jobs =
        await(
            StartedParts.of(callboard, data, home())
                .start(
                    Jobs.part(JobsOptions.DEFAULT.slots(4).queueLimit(50).retention(retention))));
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
    Eventually.assertThat(() -> assertThat(records()).doesNotContain(gone.id()));
    RunHome home = new RunHome(data, home(), callboard.bootId(), "h1");
    Clock later = Clock.offset(Clock.systemUTC(), OldRunFiles.KEPT.plusMinutes(1));
    ProcessRunner none =
        await(
            ProcessRunner.open(
                callboard.vertx(), home, LogLimits.DEFAULT, later, new StartPermits()));
    OldRunFiles young = sweep(home, none, Clock.systemUTC());
    await(young.sweep());
    assertThat(data.resolve("control").resolve(gone.id())).exists();
    await(sweep(home, none, later).sweep());
    assertThat(data.resolve("control").resolve(gone.id())).doesNotExist();
    assertThat(data.resolve("runs").resolve(gone.id())).doesNotExist();
    for (String kept : records()) {
      assertThat(data.resolve("control").resolve(kept)).exists();
    }
  }

  private void type(String name, @Nullable TypeRetention retention) {
    JobType type = new JobType(name, JobType.PROCESS, 4, false, RetryPolicy.ONCE, null, retention);
    assertThat(await(jobs.putType(type))).isEqualTo(type);
  }

  private Job ended(String type) {
    Job job = await(jobs.submit(JobSpec.process(type, List.of("echo", "out")))).job();
    ends(job);
    return job;
  }

  private Path control(Job job) {
    return data.resolve("control").resolve(job.id());
  }

  @Test
  void directoriesAndLogsOfATypeAreKeptAsLongAsItSays() throws Exception {
    type("brief", new TypeRetention(null, null, Duration.ofMinutes(10), Duration.ofMinutes(5)));
    type("long", new TypeRetention(null, null, Duration.ofDays(30), null));
    Job brief = ended("brief");
    Job stays = ended("long");
    Job plain = ended("process");
    Job live =
        await(jobs.submit(JobSpec.process("brief", List.of("sh", "-c", "echo out; sleep 1000"))))
            .job();
    Eventually.assertThat(
        () -> assertThat(await(jobs.logs().text(live.id(), null, null)).text()).isNotEmpty());
    RunHome home = new RunHome(data, home(), callboard.bootId(), "h1");
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(6));
    ProcessRunner none =
        await(
            ProcessRunner.open(
                callboard.vertx(), home, LogLimits.DEFAULT, later, new StartPermits()));

    await(sweep(home, none, later).sweep());
    assertThat(control(brief).resolve("1")).exists();
    assertThat(control(brief).resolve("1/log")).doesNotExist();
    assertThat(control(live).resolve("1/log")).as("its end is not reported").exists();
    assertThat(control(stays).resolve("1/log")).exists();
    assertThat(control(plain).resolve("1/log")).exists();
    assertThat(await(jobs.logs().text(brief.id(), null, null)).text())
        .as("the end that the job keeps")
        .isEqualTo("out\n");

    await(sweep(home, none, Duration.ofMinutes(5), later).sweep());
    assertThat(control(stays).resolve("1/log")).doesNotExist();
    assertThat(control(plain).resolve("1/log")).doesNotExist();

    await(jobs.cancel(live.id()));
    ends(live);
    assertThat(age(home, none, Duration.ofMinutes(11))).contains(plain.id(), stays.id());
  }

  /**
   * Sweeps as if that time had passed and no job had a record, and returns whose files are left.
   */
  private List<String> age(RunHome home, ProcessRunner none, Duration passed) throws Exception {
    Clock later = Clock.offset(Clock.systemUTC(), passed);
    await(sweep(home, none, later).sweep());
    try (Stream<Path> left = Files.list(data.resolve("control"))) {
      return left.map(each -> String.valueOf(each.getFileName())).toList();
    }
  }

  @Test
  void withoutADatabaseARecordIsKeptAsLongAsItsTypeSays() {
    type("brief", new TypeRetention(Duration.ofDays(2), null, null, null));
    type("long", new TypeRetention(Duration.ofDays(30), null, null, null));
    Job brief = ended("brief");
    Job stays = ended("long");
    Job plain = ended("process");

    lets(Duration.ofDays(3), brief);
    assertThat(records()).contains(stays.id(), plain.id());
    lets(Duration.ofDays(8), plain);
    assertThat(records()).contains(stays.id());
    lets(Duration.ofDays(31), stays);
  }

  /** Lets an archiver whose clock is ahead by that time work until a job has no record. */
  private void lets(Duration ahead, Job job) {
    Archiver archiver =
        new Archiver(
            callboard,
            new IndexPeers(callboard, new JobIndex(callboard.leases().partitionsOfSpace())),
            null,
            JobRetention.DEFAULT,
            new TypeRetentions(jobs::types, callboard.time()),
            Clock.offset(Clock.systemUTC(), ahead));
    archiver.start();
    Eventually.assertThat(() -> assertThat(records()).doesNotContain(job.id()));
    archiver.stop();
  }

  @Test
  void aRetentionThatIsTooShortOrTooLongIsRefused() {
    Duration day = Duration.ofDays(1);
    for (TypeRetention bad :
        List.of(
            new TypeRetention(day, null, null, null),
            new TypeRetention(null, day, null, null),
            new TypeRetention(null, null, Duration.ofDays(4_000), null),
            new TypeRetention(null, null, null, Duration.ofSeconds(-1)))) {
      JobType type = new JobType("t", JobType.PROCESS, 1, false, RetryPolicy.ONCE, null, bad);
      assertThatThrownBy(() -> await(jobs.putType(type)))
          .isInstanceOfSatisfying(
              JobException.class,
              e -> {
                assertThat(e.code()).isEqualTo(Code.INVALID);
                assertThat(e.pointer()).startsWith("/retention/");
              });
    }
  }

  private OldRunFiles sweep(RunHome home, ProcessRunner processes, Clock clock) {
    return sweep(home, processes, null, clock);
  }

  private OldRunFiles sweep(
      RunHome home, ProcessRunner processes, @Nullable Duration logs, Clock clock) {
    return new OldRunFiles(
        callboard,
        processes,
        new RunDirectories(home, LogLimits.DEFAULT),
        new JobDirectories(home),
        ids -> Future.succeededFuture(Set.of()),
        OldRunFiles.KEPT,
        logs,
        new TypeRetentions(jobs::types, callboard.time()),
        clock);
  }
}
