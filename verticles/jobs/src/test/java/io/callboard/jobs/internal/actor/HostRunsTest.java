package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.protocol.GateCommand;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.runner.RunKey;
import io.callboard.jobs.model.TroubledRun;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of what a host reports of starts that hang, and of starts whose report fails. */
class HostRunsTest {
  private static final String FAULT = "a start has not returned for over 30 s";

  private final PlayedHost host = new PlayedHost(1, Duration.ofMinutes(2));
  private final HostRuns runs = host.runs();

  @Test
  void aStartThatHangsIsAFaultAndItsRunKeepsItsSlot() {
    host.machine.hangs(true);
    runs.start(PlayedHost.start("a"));
    host.seconds(29);
    assertThat(runs.fault()).as("within the time of a start").isEmpty();
    assertThat(runs.report().slots()).isEqualTo(PlayedHost.SLOTS);
    host.seconds(2);
    assertThat(runs.fault()).contains(FAULT);
    GateCommand.Report report = host.lastReport(); // at once, not with the next of the monitor
    assertThat(report.slots()).isZero();
    assertThat(report.fault()).isEqualTo(FAULT);
    assertThat(Duration.between(report.faultSince(), report.asOf()))
        .isLessThan(Duration.ofSeconds(1));
    assertThat(report.runs()).containsExactly("a/1");
    host.seconds(600);
    assertThat(runs.report().runs()).as("it keeps its slot").containsExactly("a/1");
    assertThat(host.faults).as("published once").containsExactly(FAULT);
  }

  @Test
  void aStartThatReturnsEndsTheFault() {
    host.machine.hangs(true);
    runs.start(PlayedHost.start("a"));
    host.seconds(40);
    assertThat(runs.report().slots()).isZero();
    host.machine.hangs(false);
    host.seconds(3);
    assertThat(runs.fault()).isEmpty();
    assertThat(host.faults).containsExactly(FAULT, "");
    assertThat(host.lastReport().slots()).isEqualTo(PlayedHost.SLOTS);
    assertThat(host.lastReport().faultSince()).isNull();
    assertThat(host.told(JobCommand.Started.class)).hasSize(1);
  }

  @Test
  void aStartThatFailsAfterItHungLeavesTheFaultOfTheFailure() {
    host.machine.hangs(true);
    runs.start(PlayedHost.start("a"));
    host.seconds(40);
    host.machine.full(true);
    host.machine.hangs(false);
    host.seconds(3);
    assertThat(runs.fault()).contains("the disk is full");
    assertThat(runs.report().slots()).isZero();
    assertThat(host.told(JobCommand.NotStarted.class)).hasSize(1);
    assertThat(host.faults).containsExactly(FAULT, "", "the disk is full");
  }

  @Test
  void aStartThatHangsWhileAnotherReturnsIsSeenToo() {
    runs.start(PlayedHost.start("a"));
    host.seconds(2);
    assertThat(host.told(JobCommand.Started.class)).hasSize(1);
    host.machine.hangs(true);
    runs.start(PlayedHost.start("b"));
    host.seconds(32);
    assertThat(runs.fault()).contains(FAULT);
  }

  @Test
  void aStartWhoseReportFailsIsReportedAgain() {
    host.fails = message -> message instanceof JobCommand.Started;
    runs.start(PlayedHost.start("a"));
    host.seconds(30);
    assertThat(host.told(JobCommand.Started.class)).hasSizeGreaterThan(3);
    host.fails = message -> false;
    host.seconds(11);
    List<Duration> times = host.times(JobCommand.Started.class);
    host.seconds(60);
    assertThat(host.times(JobCommand.Started.class)).as("its job has it").isEqualTo(times);
  }

  @Test
  void theStartOfARunThatHasEndedIsReportedNoMore() {
    host.fails = message -> message instanceof JobCommand.Started;
    runs.start(PlayedHost.start("a"));
    host.seconds(125);
    assertThat(host.told(JobCommand.Ended.class)).hasSize(1);
    List<Duration> times = host.times(JobCommand.Started.class);
    assertThat(times).isNotEmpty();
    host.seconds(60);
    assertThat(host.times(JobCommand.Started.class)).isEqualTo(times);
  }

  @Test
  void theStartOfARunIsReportedNoMoreWhileItsOutcomeWaits() {
    host.fails = message -> message instanceof JobCommand;
    runs.start(PlayedHost.start("a"));
    host.seconds(125);
    List<Duration> times = host.times(JobCommand.Started.class);
    host.seconds(60);
    assertThat(host.times(JobCommand.Started.class)).isEqualTo(times);
    assertThat(host.told(JobCommand.Ended.class)).hasSizeGreaterThan(3);
    assertThat(runs.count()).as("it is here until its job knows its end").isEqualTo(1);
  }

  @Test
  void aRunThatSurvivesAKillIsListedUntilItIsGone() {
    PlayedHost stuck = new PlayedHost(1, Duration.ofHours(1), Duration.ofMinutes(1));
    HostRuns its = stuck.runs();
    its.start(PlayedHost.start("a"));
    stuck.seconds(5);
    assertThat(its.notGone()).isEmpty();
    its.kill(new RunKey("a", 1), "cancelled");
    stuck.seconds(40);
    JobCommand.KillFailed first = stuck.told(JobCommand.KillFailed.class).get(0);
    TroubledRun.Kind kind = TroubledRun.Kind.KILL_FAILED;
    assertThat(its.notGone())
        .containsExactly(new TroubledRun(kind, "a", "", 1, "h", first.at(), first.pids()));
    stuck.seconds(60);
    assertThat(stuck.told(JobCommand.Ended.class)).hasSize(1);
    assertThat(its.notGone()).isEmpty();
  }
}
