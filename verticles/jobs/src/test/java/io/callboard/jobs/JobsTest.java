package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.actor.HostMonitor;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEvent;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobLog;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.jobs.model.Submission;
import io.callboard.part.StartedParts;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real processes on one node; what survives a node's death is tested with the built jar. */
class JobsTest {
  private static final int SLOTS = 4;

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private MemoryStore store;
  private Callboard callboard;
  private Jobs jobs;
  private Path data;

  @BeforeEach
  void start() throws Exception {
    data = Files.createDirectories(Path.of("target", "jobs-test", UUID.randomUUID().toString()));
    open();
  }

  private void open() {
    store = new MemoryStore(nodes.cell());
    callboard = nodes.open("h1", options -> options.store(() -> store));
    String home = String.valueOf(data.getFileName());
    jobs =
        await(
            StartedParts.of(callboard, data, home)
                .start(Jobs.part(JobsOptions.DEFAULT.slots(SLOTS).queueLimit(50))));
  }

  @AfterEach
  void stop() {
    await(jobs.close());
  }

  private Job submit(String... command) throws Exception {
    return submit(JobSpec.process("process", List.of(command)));
  }

  private Job submit(JobSpec spec) throws Exception {
    return await(jobs.submit(spec)).job();
  }

  private Job ends(Job job) throws Exception {
    return becomes(job, null);
  }

  /** Waits until the job has that state, or, for null, any terminal one. */
  private Job becomes(Job job, JobState state) throws Exception {
    Eventually.assertThat(
        () -> {
          Job now = await(jobs.job(job.id()));
          assertThat(state == null ? now.state().terminal() : now.state() == state)
              .as(now.toString())
              .isTrue();
        });
    return await(jobs.job(job.id()));
  }

  private static JobSpec spec(List<String> command, RetryPolicy retry, JobTimeouts timeouts) {
    return JobSpec.process("process", command).withRetry(retry).withTimeouts(timeouts);
  }

  @Test
  void aProcessRunsAndItsOutputIsKept() throws Exception {
    Job job = submit("sh", "-c", "echo out $CALLBOARD_JOB_ID $CALLBOARD_RUN_ID; echo err >&2");
    assertThat(job.state()).isEqualTo(JobState.QUEUED);
    Job ended = ends(job);
    assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(ended.runs())
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.runId()).isEqualTo(1);
              assertThat(run.host()).isEqualTo("h1");
              assertThat(run.exitCode()).isZero();
              assertThat(run.endedAt()).isAfterOrEqualTo(run.startedAt());
            });
    JobLog log = await(jobs.logs().text(job.id(), null, null));
    assertThat(log.text()).isEqualTo("out " + job.id() + " 1\nerr\n");
    assertThat(log.complete()).isTrue();
    assertThat(await(jobs.events(job.id())))
        .extracting(JobEvent::what)
        .containsExactly(
            "submitted",
            "run 1 granted on h1",
            "run 1 started on h1",
            "run 1 succeeded with exit code 0",
            "succeeded");
  }

  @Test
  void aHostThatDrainsWaitsForItsRunsAndTakesNoMore() throws Exception {
    Path go = data.resolve("go");
    Job job = submit("sh", "-c", "until [ -e " + go.toAbsolutePath() + " ]; do sleep 0.05; done");
    becomes(job, JobState.RUNNING);
    List<Integer> waits = new ArrayList<>();
    Future<Integer> left = jobs.drain(Duration.ofSeconds(20), waits::add);
    Job next = submit("true");
    Eventually.assertThat(
        () -> {
          assertThat(await(jobs.why(next.id())))
              .extracting(Blocked::kind)
              .containsExactly("draining");
        });
    assertThat(left.isComplete()).isFalse();
    Files.createFile(go);
    assertThat(await(left)).isZero();
    assertThat(waits).containsExactly(1);
    assertThat(await(jobs.job(job.id())).state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(await(jobs.job(next.id())).state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void aHostWithoutRunsIsDrainedAtOnce() throws Exception {
    ends(submit("true"));
    List<Integer> waits = new ArrayList<>();
    assertThat(await(jobs.drain(Duration.ofHours(1), waits::add))).isZero();
    assertThat(waits).isEmpty();
  }

  @Test
  void aRunThatOutlastsTheLimitIsLeft() throws Exception {
    becomes(submit("sleep", "1000"), JobState.RUNNING);
    List<Integer> waits = new ArrayList<>();
    assertThat(await(jobs.drain(Duration.ofMillis(300), waits::add))).isEqualTo(1);
    assertThat(waits).containsExactly(1);
  }

  @Test
  void aFailedProcessIsDeadWithItsExitCodeUnlessItMayRetry() throws Exception {
    Job once = ends(submit("sh", "-c", "exit 3"));
    assertThat(once.state()).isEqualTo(JobState.DEAD);
    assertThat(once.runs().get(0).exitCode()).isEqualTo(3);
    RetryPolicy three = new RetryPolicy(3, Duration.ofMillis(20), Duration.ofSeconds(1));
    Job thrice = ends(submit(spec(List.of("sh", "-c", "exit 4"), three, JobTimeouts.NONE)));
    assertThat(thrice.state()).isEqualTo(JobState.DEAD);
    assertThat(thrice.runs()).extracting(JobRun::runId).containsExactly(1, 2, 3);
    assertThat(thrice.error()).contains("run 3 failed with exit code 4");
  }

  @Test
  void aRunOfAHostThatHasNotHeardOfTheStoreForASessionIsLost() throws Exception {
    JobSpec held =
        JobSpec.process(
                "process", List.of("sh", "-c", "[ $CALLBOARD_RUN_ID -gt 1 ] || exec sleep 1000"))
            .withRetry(new RetryPolicy(1, Duration.ofMillis(20), Duration.ofSeconds(1)))
            .withOnLost("hold");
    Job running = becomes(submit(held), JobState.RUNNING);
    await(store.sessionLives(System.nanoTime() + Duration.ofMillis(500).toNanos()));
    Job job = becomes(running, JobState.HELD);
    assertThat(job.runs()).singleElement().extracting(JobRun::state).isEqualTo("LOST");
    assertThat(await(jobs.events(job.id())).toString())
        .contains("its host had no contact with ZooKeeper for a session timeout");

    await(store.sessionLives(System.nanoTime() + Duration.ofMinutes(5).toNanos()));
    await(jobs.release(job.id()));
    assertThat(ends(job).state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void aLogThatCannotBeReadIsRefusedAndRunTimeoutsHold() throws Exception {
    JobTimeouts brief = new JobTimeouts(null, Duration.ofSeconds(2), null);
    Job job = submit(spec(List.of("sleep", "1000"), RetryPolicy.ONCE, brief));
    Path log = data.resolve("control").resolve(job.id()).resolve("1").resolve("log");
    Eventually.assertThat(
        () -> {
          assertThat(await(jobs.job(job.id())).runs()).isNotEmpty();
          assertThat(log).exists();
        });
    Files.delete(log);
    Files.createDirectory(log);
    assertThatThrownBy(() -> await(jobs.logs().text(job.id(), null, null)))
        .hasMessageContaining("the log of run " + job.id() + "/1 cannot be read");
    Files.delete(log);
    Job ended = ends(job);
    assertThat(ended.state()).isEqualTo(JobState.DEAD);
    assertThat(ended.error()).contains("its run timeout of PT2S has elapsed");
  }

  @Test
  void aCommandThatDoesNotExistIsDeadAtOnceWithItsName() throws Exception {
    RetryPolicy many = new RetryPolicy(12, Duration.ofMillis(20), Duration.ofSeconds(1));
    Job job = ends(submit(spec(List.of("no-such-command-anywhere"), many, JobTimeouts.NONE)));
    assertThat(job.state()).isEqualTo(JobState.DEAD);
    assertThat(job.runs()).hasSize(1);
    assertThat(job.error())
        .contains("\"no-such-command-anywhere\" was not found on the PATH of host h1");
  }

  @Test
  void theTypesLimitIsNeverExceeded() throws Exception {
    await(jobs.putType(new JobType("narrow", "process", 2, false, RetryPolicy.ONCE)));
    Path marks =
        Files.createDirectories(Path.of("target", "jobs-test", UUID.randomUUID().toString()));
    String count =
        "touch %1$s/$CALLBOARD_JOB_ID; ls %1$s | wc -l; sleep 0.05; rm %1$s/$CALLBOARD_JOB_ID"
            .formatted(marks.toAbsolutePath());
    List<Job> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      all.add(submit(JobSpec.process("narrow", List.of("sh", "-c", count))));
    }
    for (Job job : all) {
      assertThat(ends(job).state()).isEqualTo(JobState.SUCCEEDED);
      assertThat(Integer.parseInt(await(jobs.logs().text(job.id(), null, null)).text().strip()))
          .isBetween(1, 2);
    }
  }

  @Test
  void whyTellsEveryReason() throws Exception {
    await(jobs.putType(new JobType("shut", "process", 0, false, RetryPolicy.ONCE)));
    Job job = submit(JobSpec.process("shut", List.of("true")));
    Eventually.assertThat(
        () -> {
          assertThat(await(jobs.why(job.id())))
              .singleElement()
              .satisfies(reason -> assertThat(reason.kind()).isEqualTo("gate"))
              .satisfies(
                  reason -> assertThat(reason.detail()).isEqualTo("type shut has 0 of 0 runs"));
        });
    await(jobs.pause("shut"));
    assertThat(await(jobs.why(job.id()))).extracting(Blocked::kind).containsExactly("paused");
    await(jobs.putType(new JobType("shut", "process", 1, false, RetryPolicy.ONCE)));
    ends(job);
    assertThat(await(jobs.why(job.id()))).extracting(Blocked::kind).containsExactly("ended");
  }

  @Test
  void aRunningJobIsCancelledWithItsChildrenAndAQueuedOneNeverRuns() throws Exception {
    await(jobs.putType(new JobType("one", "process", 1, false, RetryPolicy.ONCE)));
    Job running =
        submit(JobSpec.process("one", List.of("sh", "-c", "sleep 300 & sleep 300; wait")));
    Job queued = submit(JobSpec.process("one", List.of("true")));
    becomes(running, JobState.RUNNING);
    assertThat(await(jobs.cancel(queued.id())).state()).isEqualTo(JobState.CANCELLED);
    assertThat(await(jobs.cancel(running.id())).state()).isEqualTo(JobState.CANCELLING);
    assertThat(ends(running).state()).isEqualTo(JobState.CANCELLED);
    assertThat(await(jobs.job(queued.id())).runs()).isEmpty();
    assertThat(await(jobs.cancel(running.id())).state()).as("again").isEqualTo(JobState.CANCELLED);
    assertThatThrownBy(() -> await(jobs.hold(running.id())))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.ILLEGAL_STATE))
        .hasMessageContaining("is CANCELLED and cannot be held");
    assertThat(await(jobs.rerun(queued.id())).state()).isEqualTo(JobState.QUEUED);
    assertThat(ends(queued).state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void aHeldJobWaitsForItsRelease() throws Exception {
    await(jobs.pause("process"));
    Job job = submit("true");
    assertThat(await(jobs.hold(job.id())).state()).isEqualTo(JobState.HELD);
    await(jobs.resume("process"));
    assertThat(await(jobs.why(job.id()))).extracting(Blocked::kind).containsExactly("held");
    assertThat(await(jobs.release(job.id())).state()).isEqualTo(JobState.QUEUED);
    assertThat(ends(job).state()).isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void aScheduledJobRunsNotBeforeItsTime() throws Exception {
    Instant at = Instant.now().plusSeconds(1);
    JobSpec later =
        JobSpec.process("process", List.of("true")).withRunAt(at).withRetry(RetryPolicy.ONCE);
    Job job = submit(later);
    assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
    assertThat(ends(job).startedAt()).isAfterOrEqualTo(at);
  }

  @Test
  void timeoutsEndAWaitAndARun() throws Exception {
    await(jobs.putType(new JobType("shut", "process", 0, false, RetryPolicy.ONCE)));
    JobTimeouts queue = new JobTimeouts(Duration.ofMillis(100), null, null);
    Job waits =
        submit(
            JobSpec.process("shut", List.of("true"))
                .withRetry(RetryPolicy.ONCE)
                .withTimeouts(queue));
    JobTimeouts run = new JobTimeouts(null, Duration.ofMillis(200), null);
    Job runs = submit(spec(List.of("sleep", "300"), RetryPolicy.ONCE, run));
    assertThat(ends(waits).state()).isEqualTo(JobState.EXPIRED);
    Job killed = ends(runs);
    assertThat(killed.state()).isEqualTo(JobState.DEAD);
    assertThat(killed.error()).contains("its run timeout of PT0.2S has elapsed");
  }

  @Test
  void theTotalTimeoutEndsAWaitAndARun() throws Exception {
    await(jobs.putType(new JobType("shut", "process", 0, false, RetryPolicy.ONCE)));
    JobTimeouts total = new JobTimeouts(null, null, Duration.ofMillis(200));
    RetryPolicy many = new RetryPolicy(9, Duration.ofMillis(20), Duration.ofSeconds(1));
    JobTimeouts longer = new JobTimeouts(null, null, Duration.ofSeconds(5));
    Job runs = becomes(submit(spec(List.of("sleep", "300"), many, longer)), JobState.RUNNING);
    JobSpec shut = JobSpec.process("shut", List.of("true")).withRetry(many).withTimeouts(total);
    assertThat(ends(submit(shut)).state()).isEqualTo(JobState.EXPIRED);
    Job killed = ends(runs);
    assertThat(killed.state()).isEqualTo(JobState.DEAD);
    assertThat(killed.runs()).hasSize(1);
    assertThat(killed.error()).contains("its total timeout of PT5S has elapsed");
  }

  @Test
  void theRetryOfATypeCountsUnlessTheJobHasItsOwn() throws Exception {
    RetryPolicy twice = new RetryPolicy(2, Duration.ofMillis(20), Duration.ofSeconds(1));
    await(jobs.putType(new JobType("twice", "process", 5, false, twice)));
    Job ofType = submit(JobSpec.process("twice", List.of("false")));
    JobSpec own = JobSpec.process("twice", List.of("false")).withRetry(RetryPolicy.ONCE);
    assertThat(ends(submit(own)).runs()).hasSize(1);
    assertThat(ends(ofType).runs()).hasSize(2);
  }

  @Test
  void aKeyMakesOneJob() throws Exception {
    JobSpec spec = JobSpec.process("process", List.of("true"));
    Submission first = await(jobs.submit(spec, "key-1"));
    Submission second = await(jobs.submit(spec, "key-1"));
    assertThat(first.existing()).isFalse();
    assertThat(second.existing()).isTrue();
    assertThat(second.job().id()).isEqualTo(first.job().id());
    assertThat(await(jobs.submit(spec, "key-2")).job().id()).isNotEqualTo(first.job().id());
    assertThatThrownBy(
            () -> await(jobs.submit(JobSpec.process("process", List.of("false")), "key-1")))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID))
        .hasMessageContaining("\"key-1\" was used with a different request")
        .hasMessageContaining(first.job().id());

    await(jobs.pause("process"));
    JobSpec unique =
        JobSpec.process("process", List.of("true"))
            .withUniqueKey("only")
            .withRetry(RetryPolicy.ONCE);
    Job holder = submit(unique);
    assertThat(await(jobs.submit(unique)).existing()).isTrue();
    for (int i = 0; i < 2; i++) {
      Submission both = await(jobs.submit(unique, "key-3"));
      assertThat(both.existing()).as("both keys hold").isTrue();
      assertThat(both.job().id()).isEqualTo(holder.id());
    }
    await(jobs.resume("process"));
    ends(holder);
    Submission next = await(jobs.submit(unique));
    assertThat(next.existing()).as("the holder has ended").isFalse();
    assertThat(next.job().id()).isNotEqualTo(holder.id());
  }

  @Test
  void wrongRequestsAreRefusedWithWhatIsWrong() throws Exception {
    assertThatThrownBy(() -> submit(JobSpec.process("nope", List.of("true"))))
        .hasMessage(
            "there is no job type \"nope\": a node that offers a handler of that name makes it (Jobs.handle), as do Jobs.putType, callboard limit TYPE N and PUT /types/{t}; there are process");
    assertThatThrownBy(() -> await(jobs.job(UUID.randomUUID().toString())))
        .hasMessageStartingWith("there is no job");
    assertThatThrownBy(() -> await(jobs.job("../../etc")))
        .hasMessageStartingWith("there is no job");
    assertThatThrownBy(() -> await(jobs.cancel(UUID.randomUUID().toString())))
        .hasMessageStartingWith("there is no job");
    assertThatThrownBy(
            () -> await(jobs.putType(new JobType("a b", "process", 1, false, RetryPolicy.ONCE))))
        .hasMessageContaining("is not a type name");
    assertThatThrownBy(
            () -> await(jobs.putType(new JobType("t", "process", -1, false, RetryPolicy.ONCE))))
        .hasMessageContaining("the limit is 0 to 100000, not -1");
    assertThatThrownBy(() -> await(jobs.pause("nope")))
        .hasMessageContaining("no job type \"nope\"");
  }

  @Test
  void aFullQueueRefusesMore() throws Exception {
    await(jobs.pause("process"));
    for (int i = 0; i < 50; i++) {
      submit("true");
    }
    assertThatThrownBy(() -> submit("true"))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.OVERLOADED))
        .hasMessage("50 jobs are waiting already, which is the limit");
    assertThat(jobs.counts().byState()).containsEntry(JobState.QUEUED, 50L);
  }

  @Test
  void typesAreBounded() throws Exception {
    List<Future<JobType>> made = new ArrayList<>();
    for (int i = 1; i < Gate.MOST_TYPES; i++) {
      made.add(jobs.putType(new JobType("t" + i, "process", 1, false, RetryPolicy.ONCE)));
    }
    await(Future.all(made));
    assertThatThrownBy(
            () -> await(jobs.putType(new JobType("more", "process", 1, false, RetryPolicy.ONCE))))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.OVERLOADED))
        .hasMessageContaining("there are 1000 job types");
    await(jobs.putType(new JobType("t1", "process", 2, false, RetryPolicy.ONCE)));
    assertThat(await(jobs.type("t1")).limit()).isEqualTo(2);
  }

  @Test
  void aJobWithAnImpossibleCommandIsNotTriedAgain() throws Exception {
    RetryPolicy three = new RetryPolicy(3, Duration.ofMillis(20), Duration.ofSeconds(1));
    JobSpec spec = spec(List.of("true", "x".repeat(200_000)), three, JobTimeouts.NONE);
    Job job = ends(await(jobs.submitMessage(spec, "source/in/m#1", "digest", null)).job());
    assertThat(job.state()).isEqualTo(JobState.DEAD);
    assertThat(job.error()).contains("argument 1 has 200000 bytes; the kernel takes 131071");
    assertThat(job.runs()).hasSize(1);
  }

  @Test
  void aKillOfARunOfAnotherBootIsIgnored() throws Exception {
    Job job = becomes(submit("sleep", "1000"), JobState.RUNNING);
    ActorRef<MonitorCommand> monitor = callboard.ref(HostMonitor.path("h1"), MonitorCommand.class);
    String run = job.id() + "/1";
    await(monitor.tell(new MonitorCommand.Kill(run, "meant for another", "another boot")));
    await(monitor.tell(new MonitorCommand.Kill(run, "meant for this", callboard.bootId())));
    assertThat(ends(job).error()).as("the first reason counts").contains("meant for this");
  }

  @Test
  void aHostThatCanStartNothingKeepsItsJobsUntilItCan() throws Exception {
    Path inItsPlace = Files.createFile(data.resolve("runs"));
    List<Job> submitted = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      submitted.add(submit("true"));
    }
    Eventually.assertThat(() -> assertThat(jobs.hostFault().orElse("")).contains("runs"));
    Eventually.assertThat(
        () -> {
          for (Job job : submitted) {
            assertThat(await(jobs.why(job.id())))
                .extracting(Blocked::kind)
                .containsExactly("host-fault");
          }
        });
    Files.delete(inItsPlace);
    for (Job job : submitted) {
      Job ended = ends(job);
      assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
      assertThat(ended.runs()).filteredOn(run -> run.state().equals("FAILED")).isEmpty();
    }
    assertThat(jobs.hostFault()).isEmpty();
  }

  @Test
  void aHostThatWasAwayDeletesWhatIsLeftOfADeletedJobWhenItIsBack() throws Exception {
    Job job = ends(submit("sh", "-c", "echo out > file"));
    Path files = data.resolve("runs").resolve(job.id());
    assertThat(files.resolve("1").resolve("file")).exists();
    await(jobs.close());
    await(
        callboard
            .durableRef(JobActor.path(job.id()), JobCommand.class)
            .ask(new JobCommand.Delete(Instant.now()), JobAnswer.Is.class));
    assertThatThrownBy(() -> await(jobs.job(job.id()))).hasMessageStartingWith("there is no job");
    assertThat(files).exists();

    nodes.close(callboard);
    open();
    Eventually.assertThat(() -> assertThat(files).doesNotExist());
    assertThat(data.resolve("control").resolve(job.id())).doesNotExist();
    Eventually.assertThat(
        () -> assertThat(tombstone(job)).extracting(Tombstone::hosts).isEqualTo(List.of()));
    assertThat(jobs.counts().byState()).isEmpty();
  }

  private Tombstone tombstone(Job job) {
    return await(callboard.admin().stored(JobActor.path(job.id())))
        .flatMap(stored -> stored.record().state(JobActor.Slot.class))
        .map(JobActor.Slot::deleted)
        .orElse(null);
  }

  @Test
  void theKeyOfADeletedJobMakesNoNewJob() throws Exception {
    JobSpec spec = JobSpec.process("process", List.of("true"));
    Job job = ends(await(jobs.submit(spec, "key")).job());
    await(jobs.delete(job.id()));
    assertThatThrownBy(() -> await(jobs.submit(spec, "key")))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.ILLEGAL_STATE))
        .hasMessageContaining("is that of job " + job.id() + ", which was deleted");
    JobSpec unique = unique(spec);
    Job holder = ends(submit(unique));
    await(jobs.delete(holder.id()));
    assertThat(submit(unique).id()).isNotEqualTo(holder.id());
  }

  @Test
  void aJobThatRunsAgainTakesItsUniqueKeyAgain() throws Exception {
    JobSpec unique = unique(JobSpec.process("process", List.of("true")));
    Job first = ends(submit(unique));
    await(jobs.pause("process"));
    Job second = submit(unique);
    assertThatThrownBy(() -> await(jobs.rerun(first.id())))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.ILLEGAL_STATE))
        .hasMessageContaining("its uniqueKey \"only\" is held by job " + second.id());
    await(jobs.cancel(second.id()));
    assertThat(await(jobs.rerun(first.id())).state()).isEqualTo(JobState.QUEUED);
    assertThat(submit(unique).id()).isEqualTo(first.id());
    assertThatThrownBy(() -> await(jobs.rerun(second.id())))
        .hasMessageContaining("is held by job " + first.id());
  }

  private static JobSpec unique(JobSpec spec) {
    return spec.withUniqueKey("only");
  }

  @Test
  void repeatedMessagesAreComparedByDigestNotBySpecification() throws Exception {
    JobSpec first = JobSpec.process("process", List.of("true"));
    JobSpec changed = JobSpec.process("process", List.of("false"));
    Submission made = await(jobs.submitMessage(first, "m1", "d1", null));
    Submission again = await(jobs.submitMessage(changed, "m1", "d1", null));
    assertThat(again.existing()).isTrue();
    assertThat(again.job().id()).isEqualTo(made.job().id());
    assertThatThrownBy(() -> await(jobs.submitMessage(first, "m1", "d2", null)))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.INVALID))
        .hasMessageContaining("another message with the id \"m1\"")
        .hasMessageContaining(made.job().id());
  }

  @Test
  void anOlderNodeFindsTheSpecificationOfAMessage() throws Exception {
    JobSpec spec = JobSpec.process("process", List.of("true"));
    await(jobs.submitMessage(spec, "m1", "d1", null));
    assertThat(await(callboard.admin().stored(JobKey.path(JobKey.IDEMPOTENCY, "m1"))))
        .flatMap(stored -> stored.record().state(JobKey.Holder.class))
        .hasValueSatisfying(
            holder -> {
              assertThat(holder.request()).isEqualTo(spec.fingerprint());
              assertThat(holder.message()).isEqualTo("d1");
            });
  }

  @Test
  void aMessageThatAnOlderNodeSubmittedIsTheSame() throws Exception {
    JobSpec old = JobSpec.process("process", List.of("true"));
    Submission made = await(jobs.submit(old, "m1")); // it noted the specification
    JobSpec changed = JobSpec.process("process", List.of("false"));
    Submission again = await(jobs.submitMessage(changed, "m1", "d1", null));
    assertThat(again.existing()).isTrue();
    assertThat(again.job().id()).isEqualTo(made.job().id());
  }

  @Test
  void aRepeatedSubmissionHasItsAnswerThoughTheQueueIsFull() throws Exception {
    await(jobs.pause("process"));
    JobSpec spec = JobSpec.process("process", List.of("true"));
    Job keyed = await(jobs.submit(spec, "key")).job();
    Job holder = submit(unique(spec));
    for (int i = 2; i < 50; i++) {
      submit(spec);
    }
    assertThatThrownBy(() -> await(jobs.submit(spec, "other")))
        .hasMessage("50 jobs are waiting already, which is the limit");
    Submission again = await(jobs.submit(spec, "key"));
    assertThat(again.existing()).isTrue();
    assertThat(again.job().id()).isEqualTo(keyed.id());
    assertThat(submit(unique(spec)).id()).isEqualTo(holder.id());
    assertThatThrownBy(
            () -> await(jobs.submit(JobSpec.process("process", List.of("false")), "key")))
        .hasMessageContaining("\"key\" was used with a different request");
  }
}
