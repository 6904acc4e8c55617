package io.callboard.workflows;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private Jobs open(String name, JobsOptions options) throws Exception {
    Path data =
        Files.createDirectories(
            Path.of("target", "worker-nodes-test", UUID.randomUUID().toString()));
    Callboard callboard = cluster.open(name).callboard();
    Jobs jobs = await(StartedParts.of(callboard, data, name).start(Jobs.part(options)));
    open.add(jobs);
    return jobs;
  }

  @Test
  void aWorkerRunsWhatTheSchedulerOfAnotherNodeKeeps() throws Exception {
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
