package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.NodePart;
import io.callboard.part.PartNeed;
import io.callboard.part.RunningNode;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes that run jobs, and leave the scheduler to others. */
@Tag("real")
class WorkerNodesTest {
  private final List<Jobs> open = new ArrayList<>();
  private ClusterNodes cluster;

  record Greeting(String name) {}

  @BeforeEach
  void start() throws Exception {
    cluster = new ClusterNodes();
  }

  @AfterEach
  void stop() {
    open.forEach(jobs -> await(jobs.close()));
    cluster.close();
  }

  private Jobs open(String name, JobsOptions options, NodePart<?>... others) throws Exception {
    Path data =
        Files.createDirectories(
            Path.of("target", "worker-nodes-test", UUID.randomUUID().toString()));
    Callboard callboard = cluster.open(name).callboard();
    StartedParts parts = StartedParts.of(callboard, data, name);
    List<NodePart<?>> all = new ArrayList<>(List.of(Jobs.part(options)));
    all.addAll(List.of(others));
    await(parts.startAll(all));
    Jobs jobs = parts.part(Jobs.class);
    open.add(jobs);
    return jobs;
  }

  /** Part of a user's own, whose start ends when its handlers are placed. */
  private record Greeter() implements NodePart<Greeter> {
    @Override
    public String name() {
      return "greeter";
    }

    @Override
    public Class<Greeter> type() {
      return Greeter.class;
    }

    @Override
    public List<PartNeed> needs() {
      return List.of(PartNeed.of(Jobs.class, "add Jobs.part()"));
    }

    @Override
    public Future<Greeter> start(RunningNode node) {
      Jobs jobs = node.part(Jobs.class);
      return jobs.handle("greet", Greeting.class, run -> "hello " + run.args().name())
          .compose(placed -> jobs.handle("part", Greeting.class, run -> null))
          .map(this);
    }

    @Override
    public Future<?> close(Greeter started, RunningNode node) {
      return Future.succeededFuture();
    }
  }

  @Test
  void aWorkerStartsBeforeTheSchedulerThatWillKnowItsHandlers() throws Exception {
    JobsOptions works = JobsOptions.DEFAULT.slots(0).schedules(false);
    long begun = System.nanoTime();
    Jobs worker = open("worker", works, new Greeter());
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .as("a node gives each of its parts 30 s")
        .isLessThan(Duration.ofSeconds(30));
    Jobs scheduler = open("scheduler", JobsOptions.DEFAULT.slots(0));
    Eventually.assertThat(
        () -> assertThat(await(scheduler.types())).extracting(JobType::handler).contains("greet"));
    Job job = await(scheduler.submit("greet", new Greeting("ann"))).job();
    Eventually.assertThat(
        () -> assertThat(await(worker.job(job.id())).state()).isEqualTo(JobState.SUCCEEDED));
    assertThat(await(scheduler.job(job.id())).result()).hasToString("\"hello ann\"");
  }

  @Test
  void aWorkerRunsJobsOfASchedulerOnAnotherNode() throws Exception {
    Jobs worker = open("worker", JobsOptions.DEFAULT.slots(0).schedules(false));
    Jobs scheduler = open("scheduler", JobsOptions.DEFAULT.slots(0));
    await(worker.handle("greet", Greeting.class, run -> "hello " + run.args().name()));

    Job job = await(worker.submit("greet", new Greeting("ann"))).job();

    Eventually.assertThat(
        () -> assertThat(await(worker.job(job.id())).state()).isEqualTo(JobState.SUCCEEDED));
    assertThat(await(scheduler.job(job.id())).runs().get(0).host()).isEqualTo("worker");
    for (Jobs each : open) {
      Eventually.assertThat(() -> assertThat(each.counts().ended()).isOne());
    }
  }
}
