package io.callboard.jobs.internal.index;

import static io.callboard.jobs.internal.index.SampleJobs.job;
import static io.callboard.jobs.internal.index.SampleJobs.ran;
import static io.callboard.jobs.internal.index.SampleJobs.troubled;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Broadcast;
import io.callboard.Callboard;
import io.callboard.jobs.model.JobState;
import io.callboard.jobs.model.TroubledRun;
import io.callboard.jobs.model.TroubledRuns;
import io.callboard.testkit.Eventually;
import io.callboard.testkit.ManualTime;
import io.callboard.testkit.NodesExtension;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CellTallyTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final ManualTime time = new ManualTime(SampleJobs.NOW);
  private final JobIndex index = new JobIndex(2);
  private final List<IndexTally> published = new CopyOnWriteArrayList<>();
  private final List<String> runs = new CopyOnWriteArrayList<>();
  private final List<TroubledRun> left = new CopyOnWriteArrayList<>();

  private Broadcast<IndexTally> broadcast;
  private CellTally tally;

  @BeforeEach
  void start() {
    Callboard callboard = nodes.open("here", options -> options.time(time));
    IntStream.range(0, 2)
        .forEach(
            partition -> {
              assertThat(index.gained(partition, 1)).isTrue();
              index.allRead(partition, 1);
            });
    broadcast = callboard.broadcast("callboard.jobs.tally", IndexTally.class);
    Runnable unused = broadcast.subscribe(published::add);
    tally =
        new CellTally(callboard, index, new IndexPeers(callboard, index), () -> List.copyOf(left));
    Runnable none = tally.onRuns((started, ended) -> runs.add(started + " " + ended));
    tally.start();
    second(1);
  }

  private void second(int expected) {
    time.advance(CellTally.EVERY);
    Eventually.assertThat(() -> assertThat(published).hasSize(expected));
  }

  @Test
  void changesOfASecondArePublishedOnceAndNothingIfThereAreNone() {
    for (int number = 0; number < 50; number++) {
      index.is(job(number, JobState.QUEUED, 1));
    }
    assertThat(tally.waiting()).as("its own are exact").isEqualTo(50);
    second(2);
    assertThat(published.get(1).waiting()).isEqualTo(50);
    for (int i = 0; i < 10; i++) {
      second(2);
    }
    index.is(job(3, JobState.RUNNING, 2));
    second(3);
    for (int i = 0; i < 30; i++) {
      time.advance(CellTally.EVERY);
    }
    Eventually.assertThat(
        () -> assertThat(published).as("now and then, if one was lost").hasSize(4));
  }

  @Test
  void theLastTalliesOfOtherNodesAreAdded() {
    index.is(job(1, JobState.QUEUED, 1));
    long before = tally.revision();
    other("b1", 5, 10, 7);
    Eventually.assertThat(() -> assertThat(tally.waiting()).isEqualTo(6));
    Eventually.assertThat(() -> assertThat(tally.revision()).isGreaterThan(before));
    other("b1", 3, 12, 8);
    Eventually.assertThat(() -> assertThat(tally.waiting()).isEqualTo(4));
    assertThat(tally.counts().byState()).isEqualTo(Map.of(JobState.QUEUED, 4L));
    assertThat(tally.counts().ended()).as("since it was heard of").isEqualTo(1);
    assertThat(tally.deleted()).isEqualTo(2);
    assertThat(runs).containsExactly("2 1");
    other("b2", 3, 1, 1); // it has started again
    Eventually.assertThat(() -> assertThat(published).hasSize(4));
    assertThat(runs).containsExactly("2 1");
  }

  @Test
  void aDeadNodeCountsUntilItsPartitionsAreTakenOver() {
    other("b1", 5, 1, 1);
    Eventually.assertThat(() -> assertThat(tally.waiting()).isEqualTo(5));
    assertThat(index.gained(0, 4)).isTrue();
    index.allRead(0, 4);
    second(3);
    assertThat(tally.waiting()).as("partition 1 may be its own").isEqualTo(5);
    assertThat(index.gained(1, 4)).isTrue();
    index.allRead(1, 4);
    second(4);
    assertThat(tally.waiting()).isZero();
  }

  private void other(String boot, long queued, long started, long ended) {
    await(
        broadcast.publish(
            new IndexTally(
                "there",
                boot,
                Map.of("process", Map.of(JobState.QUEUED, queued)),
                2,
                started,
                ended,
                ended,
                Map.of(0, 3L, 1, 3L),
                started + ended,
                Map.of(),
                List.of())));
  }

  private static TroubledRun run(TroubledRun.Kind kind, int number, int seconds) {
    List<Long> pids = kind == TroubledRun.Kind.STALLED ? List.of() : List.of(7L);
    return new TroubledRun(
        kind, SampleJobs.id(number), "process", 1, "h", SampleJobs.NOW.plusSeconds(seconds), pids);
  }

  private void reports(
      String node, @Nullable Map<String, Long> killFailed, @Nullable List<TroubledRun> named) {
    await(
        broadcast.publish(
            new IndexTally(
                node,
                "b1",
                Map.of("process", Map.of(JobState.STALLED, 3L)),
                0,
                0,
                0,
                0,
                Map.of(0, 3L, 1, 3L),
                1,
                killFailed,
                named)));
  }

  @Test
  void runsInTroubleOfAllNodesAreAddedAndThoseOfOlderNodesCountedOnly() {
    index.is(troubled(1, JobState.STALLED, 2, 50, null));
    TroubledRun oldest = run(TroubledRun.Kind.STALLED, 8, 10);
    TroubledRun killed = run(TroubledRun.Kind.KILL_FAILED, 9, 20);
    reports("there", Map.of("h", 4L), List.of(oldest, killed));
    reports("older", null, null);
    Eventually.assertThat(
        () ->
            assertThat(tally.troubledRuns())
                .isEqualTo(
                    new TroubledRuns(
                        Map.of("process", 7L),
                        Map.of("h", 4L),
                        List.of(oldest, run(TroubledRun.Kind.STALLED, 1, 50), killed),
                        List.of("older"))));
  }

  private static TroubledRun left(int number, int seconds) {
    TroubledRun run = run(TroubledRun.Kind.KILL_FAILED, number, seconds);
    return new TroubledRun(run.kind(), run.job(), "", 1, "here", run.since(), run.pids(), true);
  }

  @Test
  void runsThatTheHostCouldNotKillAreReportedUntilTheyAreGone() {
    long before = tally.revision();
    left.add(left(1, 10));
    assertThat(tally.troubledRuns())
        .isEqualTo(new TroubledRuns(Map.of(), Map.of("here", 1L), List.of(left(1, 10)), List.of()));
    second(2);
    assertThat(published.get(1).notGone()).isEqualTo(Map.of("here", 1L));
    assertThat(published.get(1).troubled()).containsExactly(left(1, 10));
    assertThat(tally.revision()).isGreaterThan(before);
    second(2);
    left.clear();
    second(3);
    assertThat(published.get(2).notGone()).isNull();
    assertThat(tally.troubledRuns()).isEqualTo(TroubledRuns.NONE);
  }

  @Test
  void aSurvivingRunReportedByJobAndHostCountsOnce() {
    TroubledRun known = run(TroubledRun.Kind.KILL_FAILED, 1, 9);
    left.add(left(1, 10));
    left.add(left(2, 11));
    reports("there", Map.of("here", 1L), List.of(known));
    Eventually.assertThat(
        () -> assertThat(tally.troubledRuns().first()).containsExactly(known, left(2, 11)));
    assertThat(tally.troubledRuns().killFailed()).isEqualTo(Map.of("here", 2L));
  }

  @Test
  void aRunThatIsReportedTwiceTakesOnePlace() {
    List<TroubledRun> ofJobs =
        IntStream.range(0, 15)
            .mapToObj(number -> run(TroubledRun.Kind.KILL_FAILED, number, number))
            .toList();
    List<TroubledRun> ofHost = IntStream.range(0, 15).mapToObj(n -> left(n, n)).toList();
    Map<String, Long> count = Map.of("here", 15L);
    IndexTally both =
        new IndexTally("here", "b1", Map.of(), 0, 0, 0, 0, Map.of(), 1, count, ofJobs).with(ofHost);
    assertThat(both.troubled()).isEqualTo(ofJobs);
    assertThat(both.notGone()).isEqualTo(count);
  }

  @Test
  void runsOfOwnJobsAreReportedOnceASecond() {
    index.is(job(1, JobState.QUEUED, 1));
    index.is(ran(1, JobState.RUNNING, 2, true, false));
    index.is(job(2, JobState.QUEUED, 1));
    index.is(ran(2, JobState.SUCCEEDED, 3, true, true));
    second(2);
    assertThat(runs).containsExactly("2 1");
    assertThat(tally.counts().ended()).isEqualTo(1);
    second(2);
    assertThat(runs).hasSize(1);
  }
}
