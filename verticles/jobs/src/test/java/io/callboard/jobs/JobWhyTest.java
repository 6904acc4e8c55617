package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.actor.Gate;
import io.callboard.jobs.internal.actor.TypeBacklog;
import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogStock;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.WaitingRun;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobWhy;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.Eventually;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of the reasons that a node reads from a job, the gate and a backlog, as real actors. */
class JobWhyTest extends JobsOfOneNode {
  private Job job;

  @Override
  JobsOptions options() {
    return JobsOptions.DEFAULT.slots(1).queueLimit(50);
  }

  @BeforeEach
  void submit() {
    await(jobs.putType(new JobType("shut", "process", 0, false, RetryPolicy.ONCE)));
    job = await(jobs.submit(JobSpec.process("shut", List.of("true")))).job();
  }

  private void becomes(String kind) {
    Eventually.assertThat(
        () ->
            assertThat(await(jobs.why(job.id()))).extracting(Blocked::kind).containsExactly(kind));
  }

  private void isLost() {
    await(
        callboard
            .durableRef(Gate.PATH, GateCommand.class)
            .tell(new GateCommand.Withdraw(job.id(), null)));
    becomes("not-known");
  }

  @Test
  void aJobMissingFromGateAndBacklogSaysSoAndIsQueuedAgainByItsRemedy() {
    becomes("gate");
    isLost();
    JobWhy why = await(jobs.explain(job.id()));
    assertThat(why.state()).isEqualTo(JobState.QUEUED);
    assertThat(why.since()).isEqualTo(job.createdAt());
    assertThat(why.blockedBy().get(0).changesWhen()).contains("hold the job and release it");

    assertThat(await(jobs.hold(job.id())).state()).isEqualTo(JobState.HELD);
    assertThat(await(jobs.release(job.id())).state()).isEqualTo(JobState.QUEUED);
    becomes("gate");
  }

  @Test
  void theBacklogIsAReasonOnlyIfItHasTheJob() {
    becomes("gate");
    isLost();
    List<Integer> due = Collections.nCopies(BacklogStock.PRIORITIES, 0);
    List<Long> seen = Collections.nCopies(BacklogStock.PRIORITIES, 1L);
    await(
        callboard
            .durableRef(Gate.PATH, GateCommand.class)
            .tell(new GateCommand.Stock("shut", new BacklogStock(due, seen))));
    becomes("not-known");
    WaitingRun far =
        new WaitingRun(
            1,
            "shut",
            5,
            Instant.EPOCH,
            Instant.now().plusSeconds(3600),
            null,
            2,
            Map.of(),
            Map.of());
    await(
        callboard
            .durableRef(TypeBacklog.path("shut"), BacklogCommand.class)
            .tell(new BacklogCommand.Keep(job.id(), far)));
    becomes("backlog");
    assertThat(await(jobs.why(job.id())).get(0).since()).isEqualTo(far.at());
  }
}
