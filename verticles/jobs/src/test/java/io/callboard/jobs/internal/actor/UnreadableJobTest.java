package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.ActorRef;
import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.UnreadableArgs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Job whose arguments hosts cannot read. */
class UnreadableJobTest {
  private static final String ID = "01a20b82-10b0-70ed-becb-509436418496";
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final String WHY =
      "the arguments of handler \"report\" cannot be read: \"/pages\"";
  private static final String LISTENER = "/listener";

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

  private void submitted(RetryPolicy retry) {
    JobSpec spec = JobSpec.handler("report", Map.of("pages", "many")).withRetry(retry);
    ActorRef<JobEnded> listener = ActorRef.read("durable:" + LISTENER);
    job.tell(new JobCommand.Submit(ID, spec, NOW, false, listener));
  }

  private Effects refuses(int runId, String host) {
    job.tell(
        new JobCommand.Granted(runId, host, "boot", runId, NOW, RetryPolicy.ONCE, 0, "report"));
    return job.tell(unreadable(runId));
  }

  private static JobCommand unreadable(int runId) {
    return new JobCommand.Ended(runId, 126, WHY, true, NOW, null, null, true);
  }

  private static @Nullable List<String> asked(Effects effects) {
    List<GateCommand.Enqueue> enqueued =
        effects.sentTo(Gate.PATH).stream()
            .filter(GateCommand.Enqueue.class::isInstance)
            .map(GateCommand.Enqueue.class::cast)
            .toList();
    assertThat(enqueued).hasSize(1);
    return enqueued.get(0).unreadableAt();
  }

  private JobData now() {
    return job.tell(new JobCommand.Look()).answer(JobAnswer.Is.class).job();
  }

  @Test
  void aRunThatIsGivenBackCostsNoAttempt() {
    submitted(RetryPolicy.ONCE);
    assertThat(asked(refuses(1, "h1"))).containsExactly("h1/boot");
    Effects second = refuses(2, "h2");
    assertThat(asked(second)).containsExactly("h1/boot", "h2/boot");
    assertThat(second.sentTo(Gate.PATH)).contains(new GateCommand.Release(ID, 2));
    assertThat(now().state()).isEqualTo(JobState.QUEUED);
    assertThat(now().attempts()).isZero();
    assertThat(now().losses()).isZero();
    assertThat(now().runs())
        .allSatisfy(
            run -> {
              assertThat(run.state()).isEqualTo("NOT_STARTED");
              assertThat(run.error()).isEqualTo(WHY);
            });
  }

  @Test
  void theJobIsDeadWhenNoHostIsLeftAndNamesTypeHostsAndPlace() {
    submitted(new RetryPolicy(10, Duration.ofSeconds(1), Duration.ofHours(1)));
    refuses(1, "h1");
    refuses(2, "h2");
    assertThat(job.tell(new JobCommand.Expired(2, NOW, true)).sentTo(LISTENER))
        .as("the wait of an earlier run")
        .isEmpty();
    JobEnded end =
        (JobEnded) job.tell(new JobCommand.Expired(3, NOW, true)).sentTo(LISTENER).get(0);
    assertThat(end.state()).isEqualTo(JobState.DEAD);
    assertThat(end.error())
        .isEqualTo("no host of type report can read its arguments (asked: h1, h2): " + WHY);
    assertThat(end.forGood()).as("another attempt must end the same").isTrue();
    assertThat(now().error()).isEqualTo(end.error());
  }

  @Test
  void aJobThatRunsAgainAsksAllHostsAnew() {
    submitted(RetryPolicy.ONCE);
    refuses(1, "h1");
    job.tell(new JobCommand.Expired(2, NOW, true));
    assertThat(asked(job.tell(new JobCommand.Rerun(NOW)))).isNull();
    assertThat(asked(refuses(2, "h1"))).containsExactly("h1/boot");
  }

  @Test
  void aHeldJobKeepsWhichHostsItHasAsked() {
    submitted(RetryPolicy.ONCE);
    refuses(1, "h1");
    job.tell(new JobCommand.Hold(NOW));
    job.tell(new JobCommand.Expired(2, NOW, true)); // it was under way
    assertThat(now().state()).isEqualTo(JobState.HELD);
    assertThat(asked(job.tell(new JobCommand.Release(NOW)))).containsExactly("h1/boot");
  }

  /** An older gate does not know which hosts are left. */
  @Test
  void aHostThatIsAskedOnceMoreMakesAFailedAttempt() {
    submitted(new RetryPolicy(2, Duration.ofSeconds(1), Duration.ofHours(1)));
    refuses(1, "h1");
    assertThat(asked(refuses(2, "h1"))).as("its next attempt knows").containsExactly("h1/boot");
    assertThat(now().state()).isEqualTo(JobState.RETRY_WAIT);
    assertThat(now().attempts()).isEqualTo(1);
    refuses(3, "h1");
    assertThat(now().state()).isEqualTo(JobState.DEAD);
    assertThat(now().error()).contains(WHY);
  }

  @Test
  void theNumberOfAskedHostsHasALimit() {
    submitted(RetryPolicy.ONCE);
    for (int i = 1; i <= UnreadableArgs.MOST; i++) {
      refuses(i, "h" + i);
    }
    assertThat(now().state()).isEqualTo(JobState.QUEUED);
    refuses(UnreadableArgs.MOST + 1, "another");
    assertThat(now().state()).isEqualTo(JobState.DEAD);
  }

  @Test
  void aJobThatIsCancelledMeanwhileEnds() {
    submitted(RetryPolicy.ONCE);
    job.tell(new JobCommand.Granted(1, "h1", "boot", 1, NOW, RetryPolicy.ONCE, 0, "report"));
    job.tell(new JobCommand.Cancel(NOW));
    job.tell(unreadable(1));
    assertThat(now().state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void aSecondReportChangesNothing() {
    submitted(RetryPolicy.ONCE);
    refuses(1, "h1");
    Effects again = job.tell(unreadable(1));
    assertThat(again.sentTo(Gate.PATH)).containsExactly(new GateCommand.Release(ID, 1));
    assertThat(now().state()).isEqualTo(JobState.QUEUED);
    assertThat(now().unreadableAt()).containsExactly("h1/boot");
  }
}
