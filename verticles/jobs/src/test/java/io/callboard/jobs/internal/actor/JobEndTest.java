package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.transition.JobMachine;
import io.callboard.jobs.model.FileContent;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RunOutput;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The actor that a submission names is told of each end of its job, once. */
class JobEndTest {
  private static final String ID = "01a20b82-10b0-70ed-becb-509436418496";
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final String LISTENER = "/listener";
  private static final ActorRef<JobEnded> REF = ActorRef.read("durable:" + LISTENER);

  private final TestedActor<JobCommand> job =
      TestedActor.<JobCommand>of(
              () ->
                  new JobActor(
                      Clock.fixed(NOW, ZoneOffset.UTC),
                      new SplittableRandom(1),
                      new Nobody(),
                      job -> Future.succeededFuture()))
          .path(JobActor.path(ID))
          .once() // its backoff is random
          .start();

  /** Takes no notice. */
  private static final class Nobody implements JobObserver {
    @Override
    public Runnable begins(String id) {
      return () -> {};
    }

    @Override
    public void is(Job now) {}

    @Override
    public void remains(String id, Tombstone tombstone) {}

    @Override
    public void gone(String id, long version) {}
  }

  private static JobCommand.Submit submission(ActorRef<JobEnded> listener) {
    JobSpec spec = JobSpec.process("process", List.of("true"));
    return new JobCommand.Submit(ID, spec, NOW, true, listener);
  }

  private void submitted() {
    assertThat(told(job.tell(submission(REF)))).isEmpty();
  }

  private void granted(int runId) {
    assertThat(told(job.tell(new JobCommand.Granted(runId, "h1", "boot", runId, NOW, null, 0))))
        .isEmpty();
  }

  private static List<Object> told(Effects effects) {
    return effects.sentTo(LISTENER);
  }

  private static JobEnded one(Effects effects) {
    assertThat(told(effects)).hasSize(1);
    return (JobEnded) told(effects).get(0);
  }

  private JobData now() {
    return job.tell(new JobCommand.Look()).answer(JobAnswer.Is.class).job();
  }

  @Test
  void aSuccessIsToldWithItsResultOnceAndOnceMoreAfterARerun() {
    submitted();
    granted(1);
    RunOutput output =
        new RunOutput(
            null,
            null,
            FileContent.of("{\"pages\":7}".getBytes(StandardCharsets.UTF_8)),
            null,
            List.of());
    JobCommand ended = new JobCommand.Ended(1, 0, null, true, NOW, output);
    JobEnded end = one(job.tell(ended));
    assertThat(end.job()).isEqualTo(ID);
    assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(end.at()).isEqualTo(NOW);
    assertThat(end.runId()).isEqualTo(1);
    assertThat(end.exitCode()).isZero();
    assertThat(end.result().path("pages").asInt()).isEqualTo(7);
    assertThat(end.error()).isNull();
    assertThat(told(job.tell(ended))).as("the report is repeated").isEmpty();

    assertThat(told(job.tell(new JobCommand.Rerun(NOW)))).isEmpty();
    granted(2);
    JobEnded second = one(job.tell(new JobCommand.Ended(2, 1, null, false, NOW)));
    assertThat(second.state()).isEqualTo(JobState.DEAD);
    assertThat(second.runId()).isEqualTo(2);
    assertThat(second.exitCode()).isEqualTo(1);
    assertThat(second.result()).isNull();
    assertThat(second.error()).contains("exit code 1");
  }

  @Test
  void aJobThatNeverRanTellsItsEnd() {
    submitted();
    JobEnded cancelled = one(job.tell(new JobCommand.Cancel(NOW)));
    assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
    assertThat(cancelled.runId()).isNull();
    assertThat(cancelled.exitCode()).isNull();
    assertThat(told(job.tell(new JobCommand.Cancel(NOW)))).isEmpty();

    job.tell(new JobCommand.Rerun(NOW));
    JobEnded expired = one(job.tell(new JobCommand.Expired(1, NOW)));
    assertThat(expired.state()).isEqualTo(JobState.EXPIRED);
  }

  @Test
  void onlyTheLastLostRunEndsTheJob() {
    submitted();
    for (int run = 1; run < JobMachine.MOST_LOSSES; run++) {
      granted(run);
      assertThat(told(job.tell(new JobCommand.Lost(run, "gone", NOW, true)))).isEmpty();
    }
    granted(JobMachine.MOST_LOSSES);
    JobEnded end = one(job.tell(new JobCommand.Lost(JobMachine.MOST_LOSSES, "gone", NOW, true)));
    assertThat(end.state()).isEqualTo(JobState.DEAD);
    assertThat(end.exitCode()).isNull();
  }

  @Test
  void aRepeatedSubmissionChangesNothing() {
    submitted();
    job.tell(submission(ActorRef.read("durable:/other")));
    assertThat(now().listener()).isEqualTo(REF);
    assertThat(told(job.tell(new JobCommand.Cancel(NOW)))).hasSize(1);
    assertThat(told(job.tell(submission(REF)))).as("its end was told before").isEmpty();
  }

  @Test
  void aJobThatIsRunAgainFromTheDatabaseTellsItsNextEnd() {
    submitted();
    job.tell(new JobCommand.Cancel(NOW));
    JobData row = now();
    job.tell(new JobCommand.LetGo(row.version()));
    assertThat(told(job.tell(new JobCommand.Restore(row, NOW)))).isEmpty();
    assertThat(told(job.tell(new JobCommand.Cancel(NOW)))).hasSize(1);
  }

  @Test
  void aJobWithoutARefTellsNobody() {
    job.tell(submission(null));
    Effects effects = job.tell(new JobCommand.Cancel(NOW));
    assertThat(now().state()).isEqualTo(JobState.CANCELLED);
    assertThat(told(effects)).isEmpty();
  }
}
