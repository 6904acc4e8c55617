package io.callboard.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.internal.transition.JobMachine;
import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.JobSpec.JobTimeouts;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.JobWhy;
import io.callboard.jobs.model.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Test of the reasons of each state, of jobs that the machine brought into it. */
class StateReasonsTest {
  private static final Instant THEN = Instant.parse("2026-11-25T10:00:00Z");
  private static final Instant NOW = THEN.plusSeconds(60);
  private static final Instant DUE = THEN.plusSeconds(3600);
  private static final String MONITOR = "/jobs/monitor/h";

  private final JobMachine machine = new JobMachine(new Random(1));

  private static JobData submitted(JobState state) {
    JobSpec spec =
        JobSpec.process("etl", List.of("true"))
            .withRunAt(state == JobState.SCHEDULED ? DUE : null)
            .withRetry(new RetryPolicy(2, Duration.ofMinutes(1), Duration.ofMinutes(1)))
            .withTimeouts(
                new JobTimeouts(Duration.ofMinutes(5), null, null, Duration.ofSeconds(30)));
    return JobData.submitted("j", spec, state, THEN, false, null);
  }

  private JobData granted() {
    JobCommand.Granted grant = new JobCommand.Granted(1, "h", "b", 1, NOW, null, 0);
    return next(machine.granted(submitted(JobState.QUEUED), grant, NOW).next());
  }

  private JobData running() {
    return next(machine.started(granted(), new JobCommand.Started(1, NOW), NOW).next());
  }

  private JobData ended(int exitCode) {
    return next(
        machine
            .ended(running(), new JobCommand.Ended(1, exitCode, null, true, NOW, null), NOW)
            .next());
  }

  private static JobData next(JobData job) {
    assertThat(job).as("the machine changes the job").isNotNull();
    return job;
  }

  /** Returns a job in that state, into which it came at NOW, or at THEN by its submission. */
  private JobData job(JobState state) {
    JobData queued = submitted(JobState.QUEUED);
    return switch (state) {
      case SCHEDULED, BLOCKED, QUEUED -> submitted(state);
      case ADMITTED -> granted();
      case RUNNING -> running();
      case STALLED -> next(machine.stalled(running(), new JobCommand.Stalled(1, NOW), NOW).next());
      case SUSPECT ->
          next(machine.silent(running(), new JobCommand.Silent(1, "silent"), NOW).next());
      case RETRY_WAIT -> ended(3);
      case HELD -> next(machine.hold(queued, NOW).next());
      case CANCELLING -> next(machine.cancel(running(), NOW).next());
      case SUCCEEDED -> ended(0);
      case DEAD -> queued.to(JobState.DEAD, NOW, "no attempts are left");
      case CANCELLED -> next(machine.cancel(queued, NOW).next());
      case EXPIRED -> next(machine.expired(queued, new JobCommand.Expired(1, NOW), NOW).next());
    };
  }

  /** Returns the kinds that a state has of itself, without any word of the gate. */
  private static List<String> kinds(JobState state) {
    return switch (state) {
      case SCHEDULED, RETRY_WAIT -> List.of("not-due", "not-known");
      case QUEUED, ADMITTED -> List.of("not-known");
      case BLOCKED -> List.of("dependency");
      case RUNNING -> List.of();
      case STALLED -> List.of("stalled");
      case SUSPECT -> List.of("silent-host");
      case HELD -> List.of("held");
      case CANCELLING -> List.of("cancelling");
      case SUCCEEDED, DEAD, CANCELLED, EXPIRED -> List.of("ended");
    };
  }

  @ParameterizedTest
  @EnumSource
  void everyStateSaysSinceWhenAndWhatWouldChangeItAndWhoWasAsked(JobState state) {
    JobData job = job(state);
    JobWhy why = StateReasons.of(job, List.of(), NOW);

    assertThat(why.state()).isEqualTo(state);
    boolean fresh = List.of(JobState.SCHEDULED, JobState.BLOCKED, JobState.QUEUED).contains(state);
    assertThat(why.since()).isEqualTo(fresh ? THEN : NOW);
    assertThat(why.blockedBy()).extracting(Blocked::kind).isEqualTo(kinds(state));
    assertThat(why.blockedBy())
        .allSatisfy(
            reason -> {
              assertThat(reason.detail()).isNotBlank();
              assertThat(reason.changesWhen()).isNotBlank();
              assertThat(reason.asked()).startsWith("/jobs/");
            });
    boolean live = List.of(JobState.STALLED, JobState.SUSPECT, JobState.CANCELLING).contains(state);
    assertThat(why.blockedBy())
        .allMatch(reason -> !live || MONITOR.equals(reason.asked()), "asked the monitor");
  }

  @Test
  void aQueuedJobHasTheReasonsOfTheGateAndItsOwnDueTime() {
    Blocked full = Blocked.of("no-slot", "all slots are in use", "a run ends").with(4, 4, 2);
    Blocked early = Blocked.of("not-due", "by the gate's clock", "it is due").until(NOW);

    assertThat(StateReasons.of(job(JobState.QUEUED), List.of(full), NOW).blockedBy())
        .containsExactly(full.asked("/jobs/gate"));
    JobWhy later = StateReasons.of(job(JobState.SCHEDULED), List.of(early, full), NOW);
    assertThat(later.blockedBy()).extracting(Blocked::kind).containsExactly("not-due", "no-slot");
    assertThat(later.blockedBy().get(0).until()).isEqualTo(DUE);
    Blocked backlog = Blocked.of("backlog", "one of 7", "others have left");
    assertThat(StateReasons.of(job(JobState.QUEUED), List.of(backlog), NOW).blockedBy())
        .containsExactly(backlog.asked("/jobs/backlog/etl"));
  }

  @Test
  void aGrantedJobHasTheReasonsOfTheGateForItsRun() {
    Blocked starting = Blocked.of("starting", "granted", "reported").since(NOW);
    Blocked silent = Blocked.of("silent-host", "h is silent", "it reports");

    assertThat(StateReasons.of(job(JobState.ADMITTED), List.of(starting), NOW).blockedBy())
        .containsExactly(starting.asked(MONITOR));
    assertThat(StateReasons.of(job(JobState.QUEUED), List.of(starting), NOW).blockedBy())
        .as("the grant is under way to the job")
        .extracting(Blocked::kind)
        .containsExactly("starting");
    assertThat(StateReasons.of(job(JobState.RUNNING), List.of(starting), NOW).blockedBy())
        .isEmpty();
    for (JobState state : List.of(JobState.RUNNING, JobState.SUSPECT)) {
      assertThat(StateReasons.of(job(state), List.of(silent), NOW).blockedBy())
          .containsExactly(silent.asked(MONITOR));
    }
    assertThat(StateReasons.of(job(JobState.CANCELLING), List.of(silent), NOW).blockedBy())
        .extracting(Blocked::kind)
        .containsExactly("cancelling", "silent-host");
  }

  @Test
  void aRunOverItsTotalTimeoutAndOneThatCannotBeKilledSaySo() {
    JobData overdue = running().overdue(NOW, "over");
    JobCommand.KillFailed failed = new JobCommand.KillFailed(1, List.of(7L), NOW);
    JobData left = next(machine.killFailed(overdue, failed, NOW).next());

    assertThat(StateReasons.of(overdue, List.of(), NOW).blockedBy())
        .extracting(Blocked::kind)
        .containsExactly("overdue");
    assertThat(StateReasons.of(left, List.of(), NOW).blockedBy())
        .extracting(Blocked::kind, Blocked::since)
        .startsWith(org.assertj.core.groups.Tuple.tuple("kill-failed", NOW));
  }

  @Test
  void aJobThatAnOlderNodeWroteHasTheTimeOfItsLastEvent() {
    JobData job = job(JobState.HELD);
    JobData older =
        new JobData(
            job.id(),
            job.spec(),
            job.state(),
            job.createdAt(),
            null,
            null,
            0,
            0,
            List.of(),
            null,
            job.events(),
            job.version(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    assertThat(StateReasons.of(older, List.of(), NOW).since()).isEqualTo(NOW);
  }
}
