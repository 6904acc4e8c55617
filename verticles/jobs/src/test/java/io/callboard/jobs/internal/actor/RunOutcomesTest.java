package io.callboard.jobs.internal.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.jobs.internal.process.PlayedFiles;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.internal.runner.RunKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Test of the repetition of outcomes that cannot be reported. */
class RunOutcomesTest {
  private final PlayedHost host = new PlayedHost(1, Duration.ofMinutes(1));
  private final Callboard callboard = host.callboard();
  private final List<RunKey> known = new ArrayList<>();
  private final RunOutcomes outcomes =
      new RunOutcomes(
          callboard,
          callboard.tasks("the outcomes of runs"),
          new PlayedFiles(host.machine, "b"),
          () -> false,
          run -> false,
          known::add);

  private static JobCommand outcome() {
    return new JobCommand.Ended(1, 0, null, true, Instant.EPOCH);
  }

  /** Returns the pauses between the attempts for one run. */
  private List<Duration> pauses() {
    List<Duration> times = host.times(JobCommand.Ended.class);
    List<Duration> pauses = new ArrayList<>();
    for (int i = 1; i < times.size(); i++) {
      pauses.add(times.get(i).minus(times.get(i - 1)));
    }
    return pauses;
  }

  @Test
  void pausesDoubleFromFourTenthsOfASecondToTenSecondsWithJitter() {
    host.fails = message -> true;
    outcomes.send(new RunKey("a", 1), outcome());
    host.seconds(300);
    List<Duration> pauses = pauses();
    assertThat(pauses).hasSizeGreaterThan(30).doesNotHaveDuplicates();
    for (int i = 0; i < pauses.size(); i++) {
      Duration bound = Duration.ofMillis(Math.min(10_000, 400L << Math.min(i, 10)));
      assertThat(pauses.get(i)).as("pause %d", i).isBetween(bound.dividedBy(2), bound);
    }
    assertThat(known).isEmpty();
    host.fails = message -> false;
    host.seconds(10);
    assertThat(known).containsExactly(new RunKey("a", 1));
  }

  /** All runs of a host meet the same failure at once, and must not come back at once. */
  @Test
  void runsWhoseReportsFailTogetherAreNotReportedTogetherAgain() {
    host.fails = message -> true;
    for (int i = 0; i < 100; i++) {
      outcomes.send(new RunKey("a" + i, 1), outcome());
    }
    List<Duration> first = host.times(JobCommand.Ended.class);
    assertThat(Set.copyOf(first)).as("at one moment").hasSize(1);
    host.fails = message -> false;
    host.seconds(1);
    List<Duration> all = host.times(JobCommand.Ended.class);
    Set<Duration> second = new HashSet<>(all.subList(100, all.size()));
    assertThat(second).as("each at a time of its own").hasSize(100);
    assertThat(known).hasSize(100);
  }
}
