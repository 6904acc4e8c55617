package io.callboard.jobs.internal.actor;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.ActorOptions;
import io.callboard.ActorRef;
import io.callboard.Callboard;
import io.callboard.DurableStateActor;
import io.callboard.Protocol;
import io.callboard.admin.ActorStatus;
import io.callboard.codecs.ActorPath;
import io.callboard.grid.Grid;
import io.callboard.grid.GridOptions;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.transition.SampleRuns;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job whose run is in a state that only a newer node knows, on an older node. */
class NewerRunTest {
  private static final String ID = "01a20b82-10b0-70ed-becb-509436418496";
  private static final String PATH = JobActor.path(ID);
  private static final Instant NOW = Instant.parse("2026-11-25T09:00:00Z");
  private static final ActorOptions OPTIONS =
      new ActorOptions().onBus(false).supervision(JobSupervision.options());

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final List<JobCommand> heard = new CopyOnWriteArrayList<>();
  private final List<Job> seen = new CopyOnWriteArrayList<>();

  /** Job as a newer node runs it: its run is paused. */
  private final class NewerJob extends DurableStateActor<JobCommand, JobActor.Slot> {
    @Override
    protected JobActor.Slot initial() {
      return JobActor.Slot.EMPTY;
    }

    @Override
    protected void protocol(Protocol<JobCommand> on) {
      on.others(
          command -> {
            heard.add(command);
            JobData job = paused();
            update(new JobActor.Slot(job, null));
            reply(new JobAnswer.Is(job));
          });
    }
  }

  /** Notes the jobs that it is told of. */
  private final class Noted implements JobObserver {
    @Override
    public Runnable begins(String id) {
      return () -> {};
    }

    @Override
    public void is(Job job) {
      seen.add(job);
    }

    @Override
    public void remains(String id, Tombstone tombstone) {}

    @Override
    public void gone(String id, long version) {}
  }

  private static JobData paused() {
    JobSpec spec = JobSpec.process("process", List.of("true"));
    JobData job = JobData.submitted(ID, spec, JobState.RUNNING, NOW, null, null);
    return SampleRuns.in(job, "PAUSED", null);
  }

  private JobActor older() {
    return new JobActor(
        Clock.fixed(NOW, ZoneOffset.UTC),
        new SplittableRandom(1),
        new Noted(),
        job -> Future.succeededFuture());
  }

  private static JobActor.Slot stored(Callboard node) {
    return JobActor.Slot.of(await(node.admin().stored(PATH)).orElseThrow()).orElseThrow();
  }

  @Test
  void anOlderNodeLeavesTheJobAndItsMailToANewerOne() {
    Callboard node = nodes.open("node");
    ActorRef<JobCommand> newer = await(node.spawn(PATH, NewerJob::new, OPTIONS));
    JobData job =
        await(newer.ask(new JobCommand.Look(), JobAnswer.class)) instanceof JobAnswer.Is is
            ? is.job()
            : null;
    assertThat(job).isEqualTo(paused());
    await(node.stop(PATH));

    assertThatThrownBy(() -> await(node.spawn(PATH, this::older, OPTIONS)))
        .hasMessageContaining("run 1 of job " + ID + " is \"PAUSED\"")
        .hasMessageContaining("it was written by a newer node")
        .hasMessageContaining("upgrade this node");
    Eventually.assertThat(
        () ->
            assertThat(node.admin().running(ActorPath.of(PATH)))
                .as("does not start again and again, and is reported")
                .get()
                .satisfies(
                    actor -> {
                      assertThat(actor.state()).isEqualTo(ActorStatus.State.FAILED);
                      assertThat(actor.lastFailure()).contains("\"PAUSED\"");
                    }));
    JobCommand ended = new JobCommand.Ended(1, 0, null, true, NOW);
    await(node.durableRef(PATH, JobCommand.class).tell(ended));
    assertThat(await(node.admin().parked(9))).isEmpty();
    assertThat(stored(node)).isEqualTo(new JobActor.Slot(paused(), null));
    assertThat(seen).as("lists show it").isNotEmpty();
    assertThat(seen.get(0).runs()).extracting(JobRun::state).containsExactly("PAUSED");

    await(node.stop(PATH));
    await(node.spawn(PATH, NewerJob::new, OPTIONS));
    Eventually.assertThat(() -> assertThat(heard).contains(ended));
  }

  @Test
  void itsNodeResumesTheJobFromTimeToTimeIfItHasAGrid() {
    Callboard node = nodes.open("node");
    ActorRef<JobCommand> newer = await(node.spawn(PATH, NewerJob::new, OPTIONS));
    assertThat(await(newer.ask(new JobCommand.Look(), JobAnswer.class))).isNotNull();
    await(node.stop(PATH));
    await(node.host(JobActor.PREFIX, this::older, OPTIONS));
    await(node.durableRef(PATH, JobCommand.class).tell(new JobCommand.Look()));
    Eventually.assertThat(
        () -> assertThat(node.leases().failed()).containsOnlyKeys(ActorPath.of(PATH)));
    assertThat(seen).as("starts of the job").hasSize(1);
    Duration scan = Duration.ofMillis(50);
    Grid grid = await(Grid.start(node, new GridOptions(scan, scan.multipliedBy(10), scan)));
    assertThat(grid).isNotNull();
    Eventually.isTrue("it is started again, and once more", () -> seen.size() > 2);
  }
}
