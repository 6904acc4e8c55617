package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobAnswer;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.protocol.MonitorCommand;
import io.callboard.jobs.internal.transition.JobMachine;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.RetryPolicy;
import io.callboard.testkit.actor.Effect.Deleted;
import io.callboard.testkit.actor.Effect.DurableTimerCancelled;
import io.callboard.testkit.actor.Effect.DurableTimerStarted;
import io.callboard.testkit.actor.Effects;
import io.callboard.testkit.actor.TestedActor;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Test of the decisions of a job, message by message. */
class JobActorTest {
  private static final String ID = "01a20b82-10b0-70ed-becb-509436418496";
  private static final Instant NOW = Instant.now();
  private static final Instant LATER = NOW.plus(Duration.ofHours(1));
  private static final Duration TOTAL = Duration.ofMinutes(10);
  private static final RetryPolicy THREE =
      new RetryPolicy(3, Duration.ofSeconds(5), Duration.ofHours(1));

  private Instant clock = NOW;

  private final List<Object> news = new ArrayList<>();
  private final TestedActor<JobCommand> job =
      TestedActor.<JobCommand>of(
              () ->
                  new JobActor(
                      new HandClock(),
                      new SplittableRandom(1),
                      new Noted(),
                      job -> Future.succeededFuture()))
          .path(JobActor.path(ID))
          .once() // its backoff is random
          .start();

  /** What is reported of a job of which nothing is left. */
  private record Gone(String job, long version) {}

  /** Notes what is reported of the job. */
  private final class Noted implements JobObserver {
    @Override
    public Runnable begins(String id) {
      return () -> {};
    }

    @Override
    public void is(Job now) {
      news.add(now);
    }

    @Override
    public void remains(String id, Tombstone tombstone) {
      news.add(tombstone);
    }

    @Override
    public void gone(String id, long version) {
      news.add(new Gone(id, version));
    }
  }

  /** Says what {@link #clock} is. */
  private final class HandClock extends Clock {
    @Override
    public Instant instant() {
      return clock;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private static JobSpec spec(
      @Nullable Instant runAt, @Nullable RetryPolicy retry, @Nullable Duration total) {
    return JobSpec.process("process", List.of("true"))
        .withRunAt(runAt)
        .withRetry(retry)
        .withTimeouts(new JobTimeouts(null, null, total));
  }

  private Effects submit(JobSpec spec) {
    return job.tell(new JobCommand.Submit(ID, spec, NOW));
  }

  private Effects granted(int runId, @Nullable RetryPolicy ofType) {
    return job.tell(new JobCommand.Granted(runId, "h1", "boot", runId, NOW, ofType, 0));
  }

  private Effects fails(int runId, Instant at) {
    return job.tell(new JobCommand.Ended(runId, 1, null, true, at));
  }

  private JobData now() {
    return job.tell(new JobCommand.Look()).answer(JobAnswer.Is.class).job();
  }

  private static GateCommand.Enqueue enqueued(Effects effects) {
    return effects.sentTo(Gate.PATH).stream()
        .filter(GateCommand.Enqueue.class::isInstance)
        .map(GateCommand.Enqueue.class::cast)
        .findFirst()
        .orElseThrow(() -> new AssertionError("not enqueued: " + effects));
  }

  @Test
  void aJobReleasedBeforeItsTimeWaitsForItAsBefore() {
    submit(spec(LATER, null, null));
    job.tell(new JobCommand.Hold(NOW));
    assertThat(now().state()).isEqualTo(JobState.HELD);
    assertThat(now().nextAttemptAt()).isEqualTo(LATER);

    Effects released = job.tell(new JobCommand.Release(NOW));

    assertThat(enqueued(released).notBefore()).isEqualTo(LATER);
    assertThat(now().state()).isEqualTo(JobState.SCHEDULED);
    assertThat(now().nextAttemptAt()).isEqualTo(LATER);
  }

  @Test
  void aRetryThatIsHeldKeepsItsWait() {
    submit(spec(null, THREE, null));
    granted(1, null);
    fails(1, NOW);
    Instant due = now().nextAttemptAt();
    job.tell(new JobCommand.Hold(NOW));

    assertThat(enqueued(job.tell(new JobCommand.Release(NOW))).notBefore()).isEqualTo(due);
    assertThat(now().state()).isEqualTo(JobState.RETRY_WAIT);
  }

  @Test
  void aJobReleasedAfterItsTimeIsDue() {
    submit(spec(LATER, null, null));
    job.tell(new JobCommand.Hold(NOW));
    clock = LATER.plusMillis(1);

    assertThat(enqueued(job.tell(new JobCommand.Release(NOW))).notBefore()).isNull();
    assertThat(now().state()).isEqualTo(JobState.QUEUED);
    assertThat(now().nextAttemptAt()).isNull();
  }

  @Test
  void theRetryOfItsTypeCountsForAJobWithoutOneOfItsOwn() {
    submit(spec(null, null, null));
    granted(1, THREE);
    Effects failed = fails(1, NOW);
    assertThat(now().state()).isEqualTo(JobState.RETRY_WAIT);
    assertThat(enqueued(failed).notBefore()).isBetween(NOW.plusMillis(2500), NOW.plusSeconds(5));
    granted(2, THREE);
    fails(2, NOW);
    granted(3, new RetryPolicy(2, THREE.initial(), THREE.max()));
    fails(3, NOW);
    assertThat(now().state()).as("fewer since the last grant").isEqualTo(JobState.DEAD);
  }

  @Test
  void theRetryOfTheJobComesBeforeThatOfItsType() {
    submit(spec(null, RetryPolicy.ONCE, null));
    granted(1, THREE);
    fails(1, NOW);
    assertThat(now().state()).isEqualTo(JobState.DEAD);
  }

  @Test
  void theTotalTimeoutEndsAJobThatWaits() {
    Effects submitted = submit(spec(LATER, null, TOTAL));
    assertThat(submitted.of(DurableTimerStarted.class))
        .extracting(DurableTimerStarted::delay)
        .containsExactly(TOTAL);

    Effects over = job.fire("total");

    assertThat(over.sentTo(Gate.PATH)).containsExactly(new GateCommand.Withdraw(ID, "process"));
    assertThat(now().state()).isEqualTo(JobState.EXPIRED);
    assertThat(now().events().toString()).contains("its total timeout of PT10M has elapsed");
  }

  @Test
  void theTotalTimeoutEndsAHeldJobAndOneThatWaitsForARetry() {
    submit(spec(null, THREE, TOTAL));
    granted(1, null);
    fails(1, NOW);
    job.tell(new JobCommand.Hold(NOW));
    job.fire("total");
    assertThat(now().state()).isEqualTo(JobState.DEAD);
    assertThat(now().error()).contains("run 1 failed with exit code 1");
  }

  @Test
  void theTotalTimeoutKillsARunUntilItIsGone() {
    submit(spec(null, THREE, TOTAL));
    granted(1, null);
    job.tell(new JobCommand.Started(1, NOW));
    for (int i = 0; i < 2; i++) {
      Effects over = job.fire("total");
      assertThat(over.sentTo(HostMonitor.path("h1")))
          .containsExactly(
              new MonitorCommand.Kill(ID + "/1", "its total timeout of PT10M has elapsed", "boot"));
      assertThat(over.of(DurableTimerStarted.class)).hasSize(1);
    }

    Effects ended =
        job.tell(
            new JobCommand.Ended(
                1, 143, "its total timeout of PT10M has elapsed", true, NOW.minusSeconds(60)));

    assertThat(now().state()).isEqualTo(JobState.DEAD);
    assertThat(now().runs()).as("whatever the host's clock says").hasSize(1);
    assertThat(ended.of(DurableTimerCancelled.class)).hasSize(1);
    assertThat(now().error()).contains("its total timeout of PT10M has elapsed");
  }

  @Test
  void aRerunHasItsTotalTimeoutAnew() {
    submit(spec(null, RetryPolicy.ONCE, TOTAL));
    granted(1, null);
    fails(1, NOW);
    clock = NOW.plus(TOTAL.multipliedBy(3));
    assertThat(job.tell(new JobCommand.Rerun(clock)).of(DurableTimerStarted.class)).hasSize(1);
    granted(2, null);
    job.tell(new JobCommand.Lost(2, "its host does not have it", clock, false));
    assertThat(now().state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void aRunWhoseNodeDiedWithItWaitsLongerEachTime() {
    submit(spec(null, null, null));
    for (int run = 1; run <= 3; run++) {
      granted(run, null);
      Effects lost = job.tell(new JobCommand.Lost(run, "its host is dead", NOW, true));
      Duration most = Duration.ofSeconds(5L << (run - 1));
      assertThat(enqueued(lost).notBefore())
          .as("loss " + run)
          .isBetween(NOW.plus(most.dividedBy(2)), NOW.plus(most));
      assertThat(now().state()).isEqualTo(JobState.RETRY_WAIT);
    }
  }

  @Test
  void aRunLostOtherwiseRunsAgainAtOnceTheFirstTime() {
    submit(spec(null, null, null));
    granted(1, null);
    assertThat(
            enqueued(job.tell(new JobCommand.Lost(1, "its node stopped", NOW, false))).notBefore())
        .isNull();
    granted(2, null);
    assertThat(
            enqueued(job.tell(new JobCommand.Lost(2, "its node stopped", NOW, null))).notBefore())
        .isAfter(NOW);
  }

  @Test
  void aRunThatItsHostCouldNotStartIsNeitherAnAttemptNorALoss() {
    submit(spec(null, RetryPolicy.ONCE, null));
    for (int run = 1; run <= 2 * JobMachine.MOST_LOSSES; run++) {
      granted(run, null);
      Effects back = job.tell(new JobCommand.NotStarted(run, "cannot write below runs", NOW));
      assertThat(enqueued(back).notBefore()).isNull();
      assertThat(now().state()).isEqualTo(JobState.QUEUED);
      assertThat(now().lastRun().state()).isEqualTo("NOT_STARTED");
    }
    assertThat(now().attempts()).isZero();
    assertThat(now().losses()).isZero();
  }

  @Test
  void aJobThatHasNotEndedIsNotDeleted() {
    submit(spec(null, null, null));
    JobAnswer.Refused refused =
        job.tell(new JobCommand.Delete(NOW)).answer(JobAnswer.Refused.class);
    assertThat(refused.code()).isEqualTo(JobException.Code.ILLEGAL_STATE);
    assertThat(refused.message()).contains("is QUEUED and cannot be deleted");
    assertThat(now().state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void aDeletedJobTellsItsHostsAndStaysDeletedUntilTheyAreDone() {
    submit(unique());
    for (int run = 1; run <= JobData.MOST_RUNS + 2; run++) {
      String host = run == 1 ? "h0" : run == 3 ? "h2" : "h1";
      job.tell(new JobCommand.Granted(run, host, "boot", run, NOW, null, 0));
      fails(run, NOW);
      job.tell(new JobCommand.Rerun(NOW));
    }
    job.tell(new JobCommand.Cancel(NOW));

    Effects deleted = job.tell(new JobCommand.Delete(NOW));
    assertThat(deleted.answer(JobAnswer.Is.class).job().id()).isEqualTo(ID);
    assertThat(news.get(news.size() - 1))
        .isInstanceOfSatisfying(
            Tombstone.class, gone -> assertThat(gone.hosts()).containsExactly("h0", "h1", "h2"));
    assertThat(deleted.sentTo(JobKey.path(JobKey.UNIQUE, "only")))
        .containsExactly(JobKey.Claim.release(ID, null));

    List<JobCommand> refused =
        List.of(
            new JobCommand.Look(),
            new JobCommand.Submit(ID, unique(), NOW),
            new JobCommand.Rerun(NOW));
    for (JobCommand command : refused) {
      assertThat(job.tell(command).answer(JobAnswer.Refused.class).message())
          .isEqualTo("job " + ID + " was deleted");
    }
    for (String host : List.of("h1", "h0", "h2")) {
      assertThat(hosts()).contains(host);
      job.tell(new JobCommand.Freed(host));
      assertThat(hosts()).doesNotContain(host);
    }
  }

  private List<String> hosts() {
    Tombstone tombstone = job.state(JobActor.Slot.class).deleted();
    return tombstone == null ? List.of() : tombstone.hosts();
  }

  private static JobSpec unique() {
    JobSpec plain = spec(null, null, null);
    return plain.withUniqueKey("only");
  }

  @Test
  void aTombstoneStaysAsLongAsAKeyMayNameIt() {
    Instant keys = NOW.plus(JobKey.KEPT);
    Tombstone none = new Tombstone(NOW, keys, List.of(), null, null);
    assertThat(none.isOver(keys.minusMillis(1))).isFalse();
    assertThat(none.isOver(keys)).isTrue();
    Tombstone waits = new Tombstone(NOW, keys, List.of("h1"), null, null);
    assertThat(waits.isOver(keys)).isFalse();
    assertThat(waits.freed("h2").isOver(keys)).isFalse();
    assertThat(waits.freed("h1").isOver(keys)).isTrue();
    assertThat(waits.isOver(NOW.plus(Tombstone.LONGEST))).isTrue();
  }

  @Test
  void aTombstoneStaysUntilTheRowIsGone() {
    Instant keys = NOW.plus(JobKey.KEPT);
    Tombstone row = new Tombstone(NOW, keys, List.of("h1"), null, true);
    assertThat(row.freed("h1").isOver(keys)).isFalse();
    assertThat(row.rowGone().isOver(keys)).isFalse();
    assertThat(row.freed("h1").rowGone().isOver(keys)).isTrue();
    assertThat(row.isOver(NOW.plus(Tombstone.LONGEST))).isTrue();

    submitted(spec(null, null, null), false);
    job.tell(new JobCommand.Cancel(NOW));
    job.tell(new JobCommand.Delete(NOW, true));
    assertThat(job.state(JobActor.Slot.class).deleted().mayHaveRow()).isTrue();
    job.tell(new JobCommand.RowGone());
    assertThat(job.state(JobActor.Slot.class).deleted().mayHaveRow()).isFalse();
  }

  private Effects submitted(JobSpec spec, boolean keyed) {
    return job.tell(new JobCommand.Submit(ID, spec, NOW, keyed, null));
  }

  @Test
  void aRecordIsRemovedOnlyIfTheJobHasEndedAtThatVersion() {
    submitted(spec(null, null, null), false);
    assertThat(letGo(1).of(Deleted.class)).as("it has not ended").isEmpty();
    job.tell(new JobCommand.Cancel(NOW));
    assertThat(letGo(1).of(Deleted.class)).as("an older version").isEmpty();
    news.clear();
    assertThat(letGo(now().version()).of(Deleted.class)).hasSize(1);
    assertThat(news).containsExactly(new Gone(ID, 2));
  }

  private Effects letGo(long version) {
    return job.tell(new JobCommand.LetGo(version));
  }

  @Test
  void aLateMessageToARemovedRecordLeavesNothing() {
    assertThat(letGo(2).of(Deleted.class)).hasSize(1);
  }

  @Test
  void aRemovedJobWithAKeyLeavesATombstoneUntilTheKeyExpires() {
    submitted(spec(null, null, null), true);
    granted(1, null);
    job.tell(new JobCommand.Ended(1, 0, null, true, NOW));
    long version = now().version();
    assertThat(letGo(version).of(Deleted.class)).isEmpty();
    Tombstone tombstone = job.state(JobActor.Slot.class).deleted();
    assertThat(tombstone.letGo()).isEqualTo(version);
    assertThat(tombstone.hosts()).as("the files stay for a while").isEmpty();
    assertThat(job.tell(new JobCommand.Look()).answer(JobAnswer.Refused.class).message())
        .isEqualTo("job " + ID + " has ended, and its record is not kept any more");
    clock = NOW.plus(Duration.ofDays(2));
    assertThat(job.tell(new JobCommand.Forget()).of(Deleted.class)).hasSize(1);
  }

  @Test
  void aRemovedJobFreesItsUniqueKey() {
    submitted(unique(), false);
    job.tell(new JobCommand.Cancel(NOW));
    assertThat(letGo(now().version()).sentTo(JobKey.path(JobKey.UNIQUE, "only")))
        .containsExactly(JobKey.Claim.release(ID, null));
    assertThat(job.state(JobActor.Slot.class).deleted()).isNotNull();
  }

  @Test
  void anOldJobWithoutFilesAndKeyLeavesNoTombstone() {
    clock = NOW.minus(Duration.ofDays(2));
    submit(spec(null, null, null));
    job.tell(new JobCommand.Cancel(clock));
    clock = NOW;
    assertThat(job.tell(new JobCommand.Delete(NOW)).of(Deleted.class)).hasSize(1);
  }

  @Test
  void anOldJobThatEndsNowLeavesATombstoneForItsKey() {
    clock = NOW.minus(Duration.ofDays(2));
    submit(spec(null, null, null));
    clock = NOW;
    job.tell(new JobCommand.Cancel(NOW));
    job.tell(new JobCommand.Delete(NOW));
    Tombstone tombstone = job.state(JobActor.Slot.class).deleted();
    assertThat(tombstone).isNotNull();
    assertThat(tombstone.until()).isAfter(NOW.plus(JobKey.KEPT));
  }

  @Test
  void theClockOfAHostDecidesNothing() {
    Duration off = Duration.ofHours(1);
    submit(spec(null, THREE, TOTAL));
    granted(1, null);
    Effects failed = fails(1, NOW.plus(off));
    assertThat(now().state()).as("its total timeout is not over").isEqualTo(JobState.RETRY_WAIT);
    assertThat(enqueued(failed).notBefore()).isBetween(NOW, NOW.plusSeconds(5));
    granted(2, null);
    Effects lost = job.tell(new JobCommand.Lost(2, "its host is dead", NOW.minus(off), true));
    assertThat(enqueued(lost).notBefore()).isBetween(NOW, NOW.plusSeconds(5));
  }

  @Test
  void theNumberOfAReturnedRunIsNotReused() {
    submit(spec(null, null, null));
    job.tell(new JobCommand.Hold(NOW));

    Effects refused = granted(1, null);
    assertThat(refused.sentTo(Gate.PATH)).containsExactly(new GateCommand.Release(ID, 1));

    Effects released = job.tell(new JobCommand.Release(NOW));
    assertThat(enqueued(released).runId())
        .as("what is under way about run 1, such as that it is lost, frees no slot of the next")
        .isEqualTo(2);
    granted(2, null);
    assertThat(job.tell(new JobCommand.Lost(1, "its host does not have it", NOW, false)))
        .satisfies(
            effects ->
                assertThat(effects.sentTo(Gate.PATH))
                    .containsExactly(new GateCommand.Release(ID, 1)));
    assertThat(now().lastRun().runId()).isEqualTo(2);
    assertThat(now().state()).isEqualTo(JobState.ADMITTED);
  }

  @Test
  void aHeldJobDoesNotExpire() {
    submit(spec(null, null, null));
    job.tell(new JobCommand.Hold(NOW));
    job.tell(new JobCommand.Expired(1, NOW));
    assertThat(now().state()).isEqualTo(JobState.HELD);
  }

  @Test
  void aKillNamesTheBootThatHasTheRun() {
    submit(spec(null, null, null));
    granted(1, null);
    assertThat(job.tell(new JobCommand.Cancel(NOW)).sentTo(HostMonitor.path("h1")))
        .containsExactly(new MonitorCommand.Kill(ID + "/1", "cancelled", "boot"));
  }
}
