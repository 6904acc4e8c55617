package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.Callboard;
import io.callboard.codecs.Json;
import io.callboard.jobs.handler.HandlerOptions;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.JobsOptions;
import io.callboard.part.StartedParts;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.NodesExtension;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What jobs of processes and of handlers share, on a node with one slot for each. */
@Tag("real")
class BothRunnersTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private Path data;
  private Callboard callboard;
  private Jobs jobs;

  /** Arguments of a handler that returns the name, or waits until it is asked to end. */
  record Work(String name, boolean waits) {}

  /** Runner of a type, with its jobs. */
  enum Runs {
    PROCESS(JobType.PROCESS) {
      @Override
      JobSpec plain(String name, boolean waits) {
        String script =
            waits ? "exec sleep 600" : "printf '\"%s\"' >$CALLBOARD_RESULT_FILE".formatted(name);
        return JobSpec.process(type, List.of("sh", "-c", script));
      }
    },
    HANDLER("work") {
      @Override
      JobSpec plain(String name, boolean waits) {
        return JobSpec.handler(type, new Work(name, waits));
      }
    };

    final String type;

    Runs(String type) {
      this.type = type;
    }

    /** Returns a job that succeeds with its name as its result, or waits until it is killed. */
    abstract JobSpec plain(String name, boolean waits);
  }

  private static JobSpec spec(
      JobSpec plain,
      int priority,
      Map<String, String> labels,
      @Nullable Duration queue,
      String lost) {
    return plain
        .withPriority(priority)
        .withLabels(labels)
        .withTimeouts(new JobTimeouts(queue, null, null))
        .withOnLost(lost);
  }

  @BeforeEach
  void start() throws Exception {
    data =
        Files.createDirectories(
            Path.of("target", "both-runners-test", UUID.randomUUID().toString()));
    open();
  }

  private void open() {
    callboard = nodes.open("h1");
    jobs =
        await(
            StartedParts.of(callboard, data, String.valueOf(data.getFileName()))
                .start(Jobs.part(JobsOptions.DEFAULT.slots(1))));
    await(
        jobs.handle(
            "work",
            Work.class,
            HandlerOptions.DEFAULT.slots(1),
            job ->
                job.args().waits()
                    ? job.cancelled().compose(asked -> Future.failedFuture("asked to end"))
                    : job.args().name()));
  }

  @AfterEach
  void stop() {
    await(jobs.close());
  }

  private Job submit(JobSpec spec) {
    return await(jobs.submit(spec)).job();
  }

  private Job becomes(Job job, JobState state) {
    Eventually.assertThat(
        () -> {
          Job now = await(jobs.job(job.id()));
          assertThat(now.state()).as(now.toString()).isEqualTo(state);
        });
    return await(jobs.job(job.id()));
  }

  @ParameterizedTest
  @EnumSource
  void anEndedJobRunsAgainUnchangedAndTheKeyOfADeletedJobMakesNoNewOne(Runs runs) {
    JobSpec spec = runs.plain("once", false);
    Job job = await(jobs.submit(spec, "key")).job();
    Job done = becomes(job, JobState.SUCCEEDED);
    assertThat(done.result()).hasToString("\"once\"");
    assertThat(await(jobs.submit(spec, "key")).existing()).isTrue();
    await(jobs.rerun(job.id()));
    Job again = becomes(job, JobState.SUCCEEDED);
    assertThat(again.runs()).extracting(JobRun::runId).containsExactly(1, 2);
    assertThat(again.result()).hasToString("\"once\"");
    assertThat(again.args())
        .isEqualTo(runs == Runs.HANDLER ? Json.tree(new Work("once", false)) : null);
    await(jobs.delete(job.id()));
    assertThatThrownBy(() -> await(jobs.submit(spec, "key")))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.code()).isEqualTo(Code.ILLEGAL_STATE))
        .hasMessageContaining("which was deleted");
    assertThat(submit(spec).id()).isNotEqualTo(job.id());
  }

  @ParameterizedTest
  @EnumSource
  void prioritiesLabelsHoldAndExpiryCountWhileJobsWait(Runs runs) {
    await(jobs.pause(runs.type));
    Job low = submit(spec(runs.plain("low", false), 1, Map.of("team", "a"), null, "rerun"));
    Job high = submit(spec(runs.plain("high", false), 9, Map.of("team", "a"), null, "rerun"));
    Job held = submit(runs.plain("held", false));
    await(jobs.hold(held.id()));
    Job late = submit(spec(runs.plain("late", false), 5, Map.of(), Duration.ofMillis(1), "rerun"));
    becomes(late, JobState.EXPIRED);
    await(jobs.resume(runs.type));
    Job last = becomes(low, JobState.SUCCEEDED);
    Job first = becomes(high, JobState.SUCCEEDED);
    assertThat(first.startedAt()).isBefore(last.startedAt());
    assertThat(last.labels()).containsEntry("team", "a");
    assertThat(await(jobs.job(held.id())).state()).isEqualTo(JobState.HELD);
    await(jobs.release(held.id()));
    assertThat(becomes(held, JobState.SUCCEEDED).result()).hasToString("\"held\"");
  }

  @ParameterizedTest
  @EnumSource
  void aLabelLimitCountsTheRunsOfBothRunners(Runs runs) {
    await(jobs.limits().put("partner", 1));
    Map<String, String> labels = Map.of("partner", "p");
    Job first = submit(spec(runs.plain("first", true), 5, labels, null, "rerun"));
    becomes(first, JobState.RUNNING);
    Runs other = runs == Runs.PROCESS ? Runs.HANDLER : Runs.PROCESS;
    Job second = submit(spec(other.plain("second", false), 5, labels, null, "rerun"));
    assertThat(await(jobs.why(second.id())))
        .as("its own slot is free")
        .extracting(Blocked::kind)
        .containsExactly("label-limit");
    await(jobs.cancel(first.id()));
    becomes(first, JobState.CANCELLED);
    becomes(second, JobState.SUCCEEDED);
  }

  @ParameterizedTest
  @EnumSource
  void aJobWhoseNodeStopsIsHeldIfItSaysSo(Runs runs) {
    Job job = submit(spec(runs.plain("waits", true), 5, Map.of(), null, "hold"));
    becomes(job, JobState.RUNNING);
    await(jobs.close());
    nodes.close(callboard);
    open();
    Job held = becomes(job, JobState.HELD);
    assertThat(held.runs()).extracting(JobRun::state).containsExactly("LOST");
    await(jobs.cancel(job.id()));
    assertThat(becomes(job, JobState.CANCELLED).runs()).hasSize(1);
  }
}
