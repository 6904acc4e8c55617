package io.callboard.jobs.internal.index;

import static io.callboard.jobs.internal.index.SampleJobs.NOW;
import static io.callboard.jobs.internal.index.SampleJobs.id;
import static io.callboard.jobs.internal.index.SampleJobs.ran;
import static io.callboard.jobs.internal.index.SampleJobs.troubled;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.model.FailedKill;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.jobs.model.TroubledRun.Kind;
import io.callboard.jobs.model.TroubledRuns;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an index has of runs that make no progress, or are not gone after a kill. */
class RowTroublesTest {
  private final JobIndex index = new JobIndex(1);

  @BeforeEach
  void own() {
    own(index, 1);
  }

  private static void own(JobIndex index, long epoch) {
    assertThat(index.gained(0, epoch)).isTrue();
    index.allRead(0, epoch);
  }

  private static FailedKill kill(int seconds, Long... pids) {
    return new FailedKill(1, List.of(pids), NOW.plusSeconds(seconds));
  }

  private IndexTally tally() {
    return index.tally("n", "b");
  }

  @Test
  void aRunIsStalledUntilItMakesProgressOrIsBeingEnded() {
    index.is(ran(1, JobState.RUNNING, 2, true, false));
    assertThat(tally().troubled()).isEmpty();
    index.is(troubled(1, JobState.STALLED, 3, 7, null));
    assertThat(tally().troubled())
        .containsExactly(
            new TroubledRun(Kind.STALLED, id(1), "process", 1, "h", NOW.plusSeconds(7), List.of()));
    index.is(ran(1, JobState.RUNNING, 4, true, false));
    assertThat(tally().troubled()).isEmpty();
    index.is(troubled(1, JobState.STALLED, 5, 8, null));
    index.is(troubled(1, JobState.CANCELLING, 6, 8, null));
    assertThat(tally().troubled()).as("it is being ended").isEmpty();
  }

  @Test
  void aKillHasFailedUntilTheRunIsGone() {
    Long[] pids = LongStream.range(100, 120).boxed().toArray(Long[]::new);
    index.is(troubled(1, JobState.CANCELLING, 3, 7, kill(9, pids)));
    index.is(troubled(2, JobState.STALLED, 3, 7, kill(5, 12L)));
    assertThat(tally().killFailed()).isEqualTo(Map.of("h", 2L));
    assertThat(tally().troubled())
        .extracting(run -> run.kind() + " " + run.job() + " " + run.pids())
        .containsExactly(
            "STALLED " + id(2) + " []",
            "KILL_FAILED " + id(2) + " [12]",
            "KILL_FAILED " + id(1) + " [100, 101, 102, 103, 104]");
    index.is(ran(1, JobState.CANCELLED, 4, true, true));
    index.is(ran(2, JobState.RETRY_WAIT, 4, true, true));
    assertThat(tally().killFailed()).isEmpty();
    assertThat(tally().troubled()).isEmpty();
  }

  @Test
  void theFirstOfEachKindAreNamedAndAllAreCounted() {
    for (int number = 0; number < 50; number++) {
      index.is(troubled(number, JobState.STALLED, 3, 100 - number, kill(number, 1L)));
    }
    assertThat(tally().killFailed()).isEqualTo(Map.of("h", 50L));
    List<TroubledRun> named = tally().troubled();
    assertThat(named).hasSize(2 * TroubledRuns.MOST_OF_KIND);
    assertThat(named.get(0).job()).as("the oldest").isEqualTo(id(49));
    assertThat(named.get(TroubledRuns.MOST_OF_KIND).job()).isEqualTo(id(0));
  }

  @Test
  void rowsThatAreReadOrHandedOverKeepTheirTroubles() {
    index.read(0, 1, troubled(1, JobState.STALLED, 3, 7, kill(9, 12L)));
    IndexTally before = tally();
    assertThat(before.troubled()).hasSize(2);
    index.lost(0);
    assertThat(tally().troubled()).isEmpty();
    assertThat(tally().killFailed()).isEmpty();
    JobIndex next = new JobIndex(1);
    assertThat(next.gained(0, 2)).isTrue();
    assertThat(
            new FormerOwner("from", 0, 2)
                .rows((node, question) -> Future.succeededFuture(index.handOver(question)), next)
                .result())
        .isEmpty();
    next.allRead(0, 2);
    assertThat(next.tally("m", "b").troubled()).isEqualTo(before.troubled());
    assertThat(next.tally("m", "b").killFailed()).isEqualTo(before.killFailed());
  }
}
