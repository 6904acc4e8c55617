package io.callboard.jobs;

import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reruns and submissions under one unique key at the same time. */
class UniqueKeyRaceTest extends JobsOfOneNode {
  private static final int ROUNDS = 20;
  private static final JobSpec SPEC =
      JobSpec.process("process", List.of("true")).withUniqueKey("nightly");

  @BeforeEach
  void pause() {
    await(jobs.pause("process")); // what is submitted waits, until it is cancelled
  }

  private String ended() {
    String id = await(jobs.submit(SPEC)).job().id();
    await(jobs.cancel(id));
    return id;
  }

  private void requireOneOpen(Set<String> ids) {
    List<Job> open =
        ids.stream().map(id -> await(jobs.job(id))).filter(job -> !job.state().terminal()).toList();
    assertThat(open).hasSize(1);
    assertThat(await(jobs.holder("nightly")).orElseThrow().id()).isEqualTo(open.get(0).id());
    await(jobs.cancel(open.get(0).id()));
  }

  @Test
  void aRerunAndASubmissionHaveOneJobThatHasNotEnded() {
    String first = ended();
    for (int i = 0; i < ROUNDS; i++) {
      Set<String> ids = new HashSet<>(Set.of(first));
      Future<Job> again = jobs.rerun(first);
      Future<?> both =
          Future.join(again, jobs.submit(SPEC).onSuccess(made -> ids.add(made.job().id())));
      await(both.otherwiseEmpty());
      requireOneOpen(ids);
    }
  }

  @Test
  void twoRerunsHaveOneJobThatHasNotEnded() {
    Set<String> ids = Set.of(ended(), ended(), ended());
    for (int i = 0; i < ROUNDS; i++) {
      await(Future.join(ids.stream().map(jobs::rerun).toList()).otherwiseEmpty());
      requireOneOpen(ids);
    }
  }

  @Test
  void aRerunIsRefusedWhileAnotherJobHoldsItsKey() {
    String first = ended();
    String holder = await(jobs.submit(SPEC)).job().id();
    assertThatThrownBy(() -> await(jobs.rerun(first)))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("held by job " + holder)
        .extracting(cause -> ((JobException) cause).code())
        .isEqualTo(JobException.Code.ILLEGAL_STATE);
    await(jobs.cancel(holder));
    assertThat(await(jobs.rerun(first)).state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void anAttemptOfAStepIsNotRunAgainByItself() {
    JobSpec step = JobSpec.process("process", List.of("true")).withUniqueKey("workflow/i/s/1");
    String id =
        await(
                jobs.submitStep(
                    step, "workflow/i/s/1", callboard.durableRef("/steps", JobEnded.class)))
            .job()
            .id();
    await(jobs.cancel(id));
    assertThatThrownBy(() -> await(jobs.rerun(id)))
        .hasMessageContaining("an attempt of a step of a workflow");
    assertThat(await(jobs.explain(id)).blockedBy().get(0).remedy()).as("a remedy").isNull();
    assertThat(await(jobs.job(id)).state()).isEqualTo(JobState.CANCELLED);
  }
}
