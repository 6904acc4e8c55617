package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.CallboardOptions;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the scheduler of one node, which is opened before each test and closed after it. */
abstract class JobsOfOneNode {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  /** Directory of the node, which it has again when it is opened again. */
  final Path data = directory();

  Callboard callboard;
  Jobs jobs;

  private static Path directory() {
    try {
      return Files.createDirectories(Path.of("target", "jobs-test", UUID.randomUUID().toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the options of the scheduler. */
  JobsOptions options() {
    return JobsOptions.DEFAULT.slots(4).queueLimit(50);
  }

  /** Changes the options of the node. */
  void configure(CallboardOptions node) {}

  final String home() {
    return String.valueOf(data.getFileName());
  }

  @BeforeEach
  void open() {
    callboard = nodes.open("h1", this::configure);
    jobs = await(StartedParts.of(callboard, data, home()).start(Jobs.part(options())));
  }

  @AfterEach
  void closeJobs() {
    await(jobs.close());
  }

  final Job submit(JobSpec spec) {
    return await(jobs.submit(spec)).job();
  }

  /** Waits until the job has that state, and returns it. */
  final Job becomes(Job job, JobState state) {
    Eventually.assertThat(
        () -> {
          Job now = await(jobs.job(job.id()));
          assertThat(now.state()).as(now.toString()).isEqualTo(state);
        });
    return await(jobs.job(job.id()));
  }
}
