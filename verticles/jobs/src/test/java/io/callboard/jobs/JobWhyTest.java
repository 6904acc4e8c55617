package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
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
import io.callboard.part.StartedParts;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Test of the reasons that a node reads from a job, the gate and a backlog, as real actors. */
class JobWhyTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private Callboard callboard;
  private Jobs jobs;
  private Job job;

  @BeforeEach
  void start() throws Exception {
    Path data = Files.createDirectories(Path.of("target", "why-test", "" + UUID.randomUUID()));
    callboard = nodes.open("h1", options -> options.store(() -> new MemoryStore(nodes.cell())));
    jobs =
        await(
            StartedParts.of(callboard, data, "home")
                .start(Jobs.part(JobsOptions.DEFAULT.slots(1).queueLimit(50))));
    await(jobs.putType(new JobType("shut", "process", 0, false, RetryPolicy.ONCE)));
    job = await(jobs.submit(JobSpec.process("shut", List.of("true")))).job();
  }

  @AfterEach
  void stop() {
    await(jobs.close());
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
    assertThat(why.blockedBy().get(0).changesWhen()).contains("callboard hold and release");

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
        new WaitingRun(1, "shut", 5, Instant.EPOCH, Instant.now().plusSeconds(3600), null, 2);
    await(
        callboard
            .durableRef(TypeBacklog.path("shut"), BacklogCommand.class)
            .tell(new BacklogCommand.Keep(job.id(), far)));
    becomes("backlog");
    assertThat(await(jobs.why(job.id())).get(0).since()).isEqualTo(far.at());
  }
}
