package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.jobs.internal.index.LinkedNodes;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two nodes whose programs are of two versions, as in a rolling upgrade: a handler of each. */
@Tag("real")
class OtherVersionsTest {
  private static final int JOBS = 40;

  @RegisterExtension final LinkedNodes nodes = new LinkedNodes();

  private final Path data = Path.of("target", "other-versions-test", UUID.randomUUID().toString());
  private final List<Jobs> open = new ArrayList<>();

  /** Arguments of the handler in the old version. */
  record Old(String customer, int pages) {}

  /** Arguments of the handler in the new version. */
  record New(String customer, List<String> pages) {}

  private Jobs open(String name) throws Exception {
    Callboard callboard = nodes.open(name);
    Jobs jobs =
        await(
            StartedParts.of(callboard, Files.createDirectories(data.resolve(name)), name)
                .start(Jobs.part(JobsOptions.DEFAULT)));
    open.add(jobs);
    return jobs;
  }

  @AfterEach
  void stop() {
    open.forEach(jobs -> await(jobs.close()));
  }

  private static JobSpec once(int number) {
    return JobSpec.handler("report", new New("customer " + number, List.of("a", "b")))
        .withRetry(RetryPolicy.ONCE);
  }

  private static Job succeeds(Jobs jobs, Job job) {
    Eventually.assertThat(
        () -> {
          Job now = await(jobs.job(job.id()));
          assertThat(now.state()).as(now.toString()).isEqualTo(JobState.SUCCEEDED);
        });
    return await(jobs.job(job.id()));
  }

  @Test
  void jobsOfOneAttemptSucceedWhereTheirArgumentsCanBeRead() throws Exception {
    Jobs old = open("z-old"); // of hosts with as many free slots the last by name is chosen
    await(old.handle("report", Old.class, job -> "old " + job.args().pages()));
    Jobs upgraded = open("a-new");
    await(upgraded.handle("report", New.class, job -> "new " + job.args().pages().size()));
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      Jobs submitter = i % 2 == 0 ? upgraded : old; // which cannot read them itself
      jobs.add(await(submitter.submit(once(i))).job());
    }
    List<JobRun> givenBack = new ArrayList<>();
    for (Job job : jobs) {
      Job ended = succeeds(upgraded, job);
      assertThat(ended.result()).hasToString("\"new 2\"");
      List<JobRun> before = ended.runs().subList(0, ended.runs().size() - 1);
      assertThat(before).as("each host is asked once").hasSizeLessThanOrEqualTo(1);
      givenBack.addAll(before);
    }
    assertThat(givenBack)
        .isNotEmpty()
        .allSatisfy(
            run -> {
              assertThat(run.state()).isEqualTo("NOT_STARTED");
              assertThat(run.host()).isEqualTo("z-old");
            });
    JobSpec ofNone = JobSpec.handler("report", Map.of("customer", "acme", "pages", Map.of()));
    for (Jobs each : open) {
      assertThatThrownBy(() -> await(each.submit(ofNone)))
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.pointer()).isEqualTo("/args/pages"));
    }
  }
}
