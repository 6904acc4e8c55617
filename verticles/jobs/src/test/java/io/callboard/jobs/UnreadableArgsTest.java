package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.JobActor;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Job whose arguments no host can read, in a cell where that is not known when it is submitted. */
class UnreadableArgsTest {
  private static final String PLACE =
      "the arguments of handler \"report\" cannot be read: it must be a whole number, not a list (at"
          + " /args/pages)";

  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime();

  record Report(String customer, int pages) {}

  /** Awaits an outcome while time passes. */
  private <T> T done(Future<T> future) {
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofMillis(100));
          assertThat(future.isComplete()).isTrue();
        });
    return await(future);
  }

  @Test
  void aJobThatNoHostCanReadSaysSoAndEnds() throws Exception {
    Path data =
        Files.createDirectories(
            Path.of("target", "unreadable-args-test", UUID.randomUUID().toString()));
    Callboard callboard = nodes.open("h1", options -> options.time(time));
    Jobs jobs = done(StartedParts.of(callboard, data, "h1").start(Jobs.part(JobsOptions.DEFAULT)));
    done(jobs.handle("report", Report.class, job -> job.args().pages()));
    String id = "01a20b82-10b0-70ed-becb-509436418496";
    JobSpec spec =
        JobSpec.handler("report", Map.of("customer", "acme", "pages", List.of("a")))
            .withRetry(RetryPolicy.ONCE);
    JobAnswer unused =
        await(
            callboard
                .durableRef(JobActor.path(id), JobCommand.class)
                .ask(
                    new JobCommand.Submit(id, spec, time.clock().instant(), false, null),
                    JobAnswer.class,
                    Duration.ofSeconds(10)));
    Eventually.assertThat(
        () -> {
          List<Blocked> reasons = await(jobs.why(id));
          assertThat(reasons).extracting(Blocked::kind).containsExactly("unreadable");
          assertThat(reasons.get(0).detail()).contains("(asked: h1)", PLACE);
        });
    Eventually.assertThat(
        () -> {
          time.advance(Duration.ofSeconds(1));
          List<Blocked> reasons = await(jobs.why(id)); // after what the gate does in this second
          assertThat(reasons).extracting(Blocked::kind).containsExactly("ended");
        });
    Job dead = await(jobs.job(id));
    assertThat(dead.state()).isEqualTo(JobState.DEAD);
    assertThat(dead.error())
        .startsWith("no host of type report can read its arguments (asked: h1): " + PLACE);
    assertThat(dead.runs()).extracting(JobRun::state).containsExactly("NOT_STARTED");
    done(jobs.close());
  }
}
