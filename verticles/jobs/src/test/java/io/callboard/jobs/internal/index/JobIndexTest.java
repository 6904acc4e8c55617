package io.callboard.jobs.internal.index;

import static io.callboard.jobs.internal.index.SampleJobs.NOW;
import static io.callboard.jobs.internal.index.SampleJobs.all;
import static io.callboard.jobs.internal.index.SampleJobs.id;
import static io.callboard.jobs.internal.index.SampleJobs.job;
import static io.callboard.jobs.internal.index.SampleJobs.query;
import static io.callboard.jobs.internal.index.SampleJobs.ran;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.model.JobQuery;
import io.callboard.jobs.model.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The index of a node by partitions: gained, read, changed and lost. */
class JobIndexTest {
  private static final int PARTITIONS = 4;

  private final JobIndex index = new JobIndex(PARTITIONS);

  private void own(int... partitions) {
    for (int partition : partitions) {
      assertThat(index.gained(partition, 1)).isTrue();
      index.allRead(partition, 1);
    }
  }

  private void ownAll() {
    own(IntStream.range(0, PARTITIONS).toArray());
  }

  /** Returns numbers of jobs of a partition. */
  private List<Integer> of(int partition, int count) {
    return IntStream.iterate(0, n -> n + 1)
        .filter(number -> index.partition(id(number)) == partition)
        .limit(count)
        .boxed()
        .toList();
  }

  private List<String> ids(JobQuery query) {
    return index.page(query, query.limit()).stream().map(RowRef::id).toList();
  }

  private static Tombstone tombstone(Long letGo, String... hosts) {
    return new Tombstone(NOW, NOW.plus(Duration.ofHours(25)), List.of(hosts), letGo, null);
  }

  @Test
  void onlyOwnPartitionsAreIndexed() {
    own(0, 2);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      for (int number : of(partition, 3)) {
        index.is(job(number, JobState.QUEUED, 1));
      }
    }
    assertThat(index.size()).isEqualTo(6);
    assertThat(index.waiting()).isEqualTo(6);
    assertThat(index.owned()).containsExactly(0, 2);
    index.lost(0);
    assertThat(index.size()).isEqualTo(3);
    assertThat(index.waiting()).isEqualTo(3);
    assertThat(index.tally("n", "b").byType())
        .isEqualTo(Map.of("process", Map.of(JobState.QUEUED, 3L)));
    assertThat(index.coverage().epochs()).isEqualTo(Map.of(2, 1L));
    index.lost(2);
    assertThat(index.tally("n", "b").byType()).isEmpty();
    assertThat(index.tally("n", "b").deleted()).isZero();
  }

  @Test
  void changesDuringTheReadingWinOverOldRecords() {
    List<Integer> jobs = of(1, 4);
    assertThat(index.gained(1, 7)).isTrue();
    assertThat(index.gained(1, 7)).as("known already").isFalse();
    index.is(job(jobs.get(0), JobState.SUCCEEDED, 5));
    index.is(job(jobs.get(1), JobState.SUCCEEDED, 5));
    index.gone(id(jobs.get(1)), 5);
    index.remains(id(jobs.get(2)), tombstone(null, "h"));
    assertThat(index.coverage()).isEqualTo(new Coverage(Map.of(), true));
    for (int number : jobs) {
      index.read(1, 7, job(number, JobState.QUEUED, 4));
    }
    index.allRead(1, 7);
    assertThat(index.coverage()).isEqualTo(new Coverage(Map.of(1, 7L), false));
    assertThat(ids(all(true, 9))).containsExactly(id(jobs.get(0)), id(jobs.get(3)));
    assertThat(index.state(id(jobs.get(0)))).contains(JobState.SUCCEEDED);
    assertThat(index.known(jobs.stream().map(SampleJobs::id).toList()))
        .containsExactly(id(jobs.get(0)), id(jobs.get(2)), id(jobs.get(3)));
  }

  /** Its actor has answered who deleted it, and not reported that yet. */
  @Test
  void afterADeletionTheTombstoneIsReadAndNoOlderRecord() {
    String job = id(of(1, 1).get(0));
    assertThat(index.gained(1, 7)).isTrue();
    var unused = index.begins(job);
    index.deleted(job);
    index.read(1, 7, job(of(1, 1).get(0), JobState.SUCCEEDED, 4));
    index.read(1, 7, job, tombstone(4L, "old")); // it was let go before it was deleted
    assertThat(index.size()).isZero();
    assertThat(index.filesAt("old", 9)).isEmpty();
    index.read(1, 7, job, tombstone(null, "h"));
    assertThat(index.filesAt("h", 9)).containsExactly(job);
    assertThat(index.known(List.of(job))).as("hides its row").containsExactly(job);
    index.deleted(job);
    assertThat(index.filesAt("h", 9)).as("said again").containsExactly(job);
    index.gone(job, Long.MAX_VALUE);
    index.deleted(job);
    index.read(1, 7, job, tombstone(null, "h"));
    assertThat(index.filesAt("h", 9)).as("read before it was forgotten").isEmpty();
  }

  @Test
  void aTombstoneGoesAlsoIfTheVersionOfItsJobIsNotKnownAnyMore() {
    own(1);
    int number = of(1, 1).get(0);
    index.remains(id(number), tombstone(4L, "h"));
    index.gone(id(number), 0);
    assertThat(index.filesAt("h", 9)).isEmpty();
    var unused = index.begins(id(number));
    index.answered(job(number, JobState.SUCCEEDED, 4));
    assertThat(index.size()).as("an answer of before").isZero();
    index.is(job(number, JobState.QUEUED, 5));
    assertThat(index.size()).as("restored").isEqualTo(1);
    index.gone(id(number), 0);
    assertThat(index.size()).as("a report that was late").isEqualTo(1);
  }

  @Test
  void aReadingOfAnEarlierEpochChangesNothing() {
    int number = of(1, 1).get(0);
    index.gained(1, 7);
    index.lost(1);
    index.read(1, 7, job(number, JobState.QUEUED, 4));
    index.allRead(1, 7);
    assertThat(index.size()).isZero();
    assertThat(index.gained(1, 9)).isTrue();
    index.read(1, 7, job(number, JobState.QUEUED, 4));
    index.allRead(1, 7);
    assertThat(index.coverage()).isEqualTo(new Coverage(Map.of(), true));
    assertThat(index.size()).isZero();
    index.read(1, 9, job(number, JobState.RUNNING, 6));
    index.allRead(1, 9);
    assertThat(index.state(id(number))).contains(JobState.RUNNING);
    assertThat(index.gained(1, 8)).as("an older epoch").isFalse();
    assertThat(index.size()).isEqualTo(1);
  }

  @Test
  void aPartitionHandedOverUnderChangesIsWholeAtBothSides() {
    JobIndex next = new JobIndex(PARTITIONS);
    own(1);
    List<Integer> jobs = of(1, 50);
    jobs.forEach(number -> index.is(job(number, JobState.QUEUED, 1)));
    next.gained(1, 2); // it has claimed it, the last owner does not know yet
    Coverage both = index.coverage();
    assertThat(both.epochs()).isEqualTo(Map.of(1, 1L));
    for (int number : jobs) {
      next.read(1, 2, job(number, JobState.QUEUED, 1));
      next.is(job(number, JobState.RUNNING, 2)); // and a late reading of it:
      next.read(1, 2, job(number, JobState.QUEUED, 1));
    }
    next.allRead(1, 2);
    index.lost(1);
    assertThat(index.size()).isZero();
    assertThat(next.tally("n", "b").byType())
        .isEqualTo(Map.of("process", Map.of(JobState.RUNNING, 50L)));
  }

  @Test
  void aRemovedJobStaysUnlistedUntilItRunsAgain() {
    ownAll();
    index.is(job(1, JobState.SUCCEEDED, 5));
    index.gone(id(1), 5);
    var unused = index.begins(id(1));
    index.answered(job(1, JobState.SUCCEEDED, 5));
    index.answered(job(1, JobState.RUNNING, 4));
    assertThat(index.size()).as("late answers").isZero();
    index.is(job(1, JobState.QUEUED, 6));
    assertThat(index.size()).isEqualTo(1);
    index.gone(id(1), 5);
    assertThat(index.size()).as("late news").isEqualTo(1);
    index.remains(id(1), tombstone(6L));
    assertThat(index.known(List.of(id(1)))).as("it may be in the database").isEmpty();
    index.answered(job(1, JobState.QUEUED, 6));
    assertThat(index.size()).isZero();
    index.is(job(1, JobState.QUEUED, 7));
    assertThat(index.size()).isEqualTo(1);
    index.remains(id(1), tombstone(null));
    index.answered(job(1, JobState.QUEUED, 8));
    assertThat(index.size()).as("deleted").isZero();
    assertThat(index.known(List.of(id(1)))).containsExactly(id(1));
  }

  @Test
  void aDeletedJobIsHiddenAtOnceAndCountedWithItsTombstone() {
    ownAll();
    index.is(job(1, JobState.DEAD, 5));
    var unused = index.begins(id(1));
    index.deleted(id(1));
    assertThat(index.size()).isZero();
    index.answered(job(1, JobState.DEAD, 5));
    assertThat(index.size()).isZero();
    index.remains(id(1), tombstone(null, "h1", "h2"));
    assertThat(index.tally("n", "b").deleted()).isEqualTo(1);
    assertThat(index.filesAt("h1", 9)).containsExactly(id(1));
    assertThat(index.filesAt("h3", 9)).isEmpty();
    index.remains(id(1), tombstone(null, "h2"));
    assertThat(index.tally("n", "b").deleted()).isEqualTo(1);
    assertThat(index.filesAt("h1", 9)).isEmpty();
    long day = NOW.plus(Duration.ofHours(26)).toEpochMilli();
    assertThat(index.expired(day, 9)).isEmpty();
    index.remains(id(1), tombstone(null));
    assertThat(index.expired(day, 9)).isEqualTo(Map.of(id(1), List.of()));
    index.gone(id(1), Long.MAX_VALUE);
    assertThat(index.expired(day, 9)).isEmpty();
    assertThat(index.tally("n", "b").deleted()).isZero();
  }

  @Test
  void pagesFollowEachOtherInBothOrders() {
    ownAll();
    List<String> expected = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      index.is(job(number, JobState.QUEUED, 1));
      expected.add(id(number));
    }
    assertThat(paged(true)).isEqualTo(expected);
    Collections.reverse(expected);
    assertThat(paged(false)).isEqualTo(expected);
  }

  private List<String> paged(boolean ascending) {
    List<String> found = new ArrayList<>();
    String cursor = null;
    do {
      List<String> page = ids(query(null, null, null, null, ascending, 7, cursor));
      found.addAll(page);
      cursor = page.isEmpty() ? null : page.get(page.size() - 1);
    } while (cursor != null);
    return found;
  }

  @Test
  void pagesHaveTheJobsThatTheFilterAllows() {
    ownAll();
    index.is(
        job(1, "a", JobState.QUEUED, 1, List.of("sh", "-c", "grün"), Map.of("k", "v", "x", "y=z")));
    index.is(job(2, "b", JobState.RUNNING, 1, List.of("sleep", "1"), Map.of("k", "other")));
    index.is(job(3, "a", JobState.DEAD, 1, List.of("x".repeat(2_000) + "end"), Map.of()));
    assertThat(ids(query("a", null, null, null, true, 9, null))).containsExactly(id(1), id(3));
    assertThat(ids(query(null, JobState.RUNNING, null, null, true, 9, null)))
        .containsExactly(id(2));
    assertThat(ids(query(null, null, "k", null, true, 9, null))).containsExactly(id(1), id(2));
    assertThat(ids(query(null, null, "k=v", null, true, 9, null))).containsExactly(id(1));
    assertThat(ids(query(null, null, "k=", null, true, 9, null))).isEmpty();
    assertThat(ids(query(null, null, "x=y=z", null, true, 9, null))).containsExactly(id(1));
    assertThat(ids(query(null, null, null, "-c grün", true, 9, null))).containsExactly(id(1));
    assertThat(ids(query(null, null, null, "k=other", true, 9, null))).containsExactly(id(2));
    assertThat(ids(query(null, null, null, "grünk", true, 9, null))).isEmpty();
    assertThat(ids(query(null, null, null, id(2).substring(9, 18), true, 9, null)))
        .containsExactly(id(2));
    assertThat(ids(query(null, null, null, "xxx", true, 9, null))).containsExactly(id(3));
    assertThat(ids(query(null, null, null, "end", true, 9, null))).as("beyond the limit").isEmpty();
    assertThat(ids(new JobQuery(null, null, null, NOW.plusSeconds(2), null, true, 9, null)))
        .containsExactly(id(3));
    index.is(job(4, JobState.DEAD, 1));
    assertThat(ids(endedAfter(NOW.plusSeconds(3)))).containsExactly(id(4));
    assertThat(ids(endedAfter(NOW))).as("none that has not ended").containsExactly(id(3), id(4));
  }

  private static JobQuery endedAfter(Instant time) {
    return new JobQuery(null, null, null, null, null, true, 9, null, time);
  }

  @Test
  void runsAndEndsAreCountedOnce() {
    ownAll();
    index.is(job(1, JobState.QUEUED, 1));
    index.is(ran(1, JobState.ADMITTED, 2, false, false));
    index.is(ran(1, JobState.RUNNING, 3, true, false));
    index.is(ran(1, JobState.SUSPECT, 4, true, false));
    index.is(ran(1, JobState.SUCCEEDED, 5, true, true));
    index.is(ran(1, JobState.SUCCEEDED, 5, true, true));
    IndexTally tally = index.tally("n", "b");
    assertThat(List.of(tally.runsStarted(), tally.runsEnded(), tally.jobsEnded()))
        .containsExactly(1L, 1L, 1L);
    index.gained(1, 5);
    int number = of(1, 1).get(0);
    index.read(1, 5, ran(number, JobState.SUCCEEDED, 9, true, true));
    assertThat(index.tally("n", "b").runsStarted()).as("it did not happen now").isEqualTo(1);
  }

  private IndexAnswer.Ended ended(int most, boolean database) {
    return index.ended(new IndexCommand.Ended(most, database, new EndCutoffs(NOW)));
  }

  @Test
  void jobsBeyondTheAgeOfTheirTypeAreFoundBehindLongerKeptOnes() {
    ownAll();
    for (int number = 1; number <= 9; number++) {
      String type = number <= 5 ? "long" : "process";
      JobState state = number == 9 ? JobState.DEAD : JobState.SUCCEEDED;
      index.is(job(number, type, state, 3, List.of("true"), Map.of()));
    }
    EndCutoffs cutoffs =
        new EndCutoffs(
            NOW.plusSeconds(8),
            Map.of("long", NOW.plusSeconds(2)),
            Map.of("process", NOW.plusSeconds(10)));
    IndexAnswer.Ended answer = index.ended(new IndexCommand.Ended(3, false, cutoffs));
    assertThat(answer.successes()).extracting(EndedJob::type).containsOnly("long");
    assertThat(answer.old()).extracting(EndedJob::id).containsExactly(id(1), id(6), id(7));
    assertThat(index.ended(new IndexCommand.Ended(9, false, cutoffs)).old())
        .extracting(EndedJob::id)
        .containsExactly(id(1), id(6), id(7), id(9));
    assertThat(index.ended(new IndexCommand.Ended(9, true, cutoffs)).old())
        .as("the database has none of them")
        .isEmpty();
  }

  @Test
  void theArchivistGetsUnwrittenJobsAndRemovableOnes() {
    ownAll();
    for (int number = 1; number <= 6; number++) {
      index.is(job(number, number % 2 == 0 ? JobState.SUCCEEDED : JobState.DEAD, 3));
    }
    index.is(job(7, JobState.QUEUED, 1));
    index.remains(id(8), tombstone(null));
    IndexAnswer.Ended plain = ended(2, false);
    assertThat(plain.ended()).isEqualTo(6);
    assertThat(plain.ready()).isEqualTo(6);
    assertThat(plain.successes()).extracting(EndedJob::id).containsExactly(id(2), id(4));
    assertThat(plain.others()).extracting(EndedJob::id).containsExactly(id(1), id(3));
    assertThat(plain.waiting()).isEmpty();

    IndexAnswer.Ended first = ended(3, true);
    assertThat(first.ready()).isZero();
    assertThat(first.unwritten()).isEqualTo(6);
    assertThat(first.waiting()).extracting(EndedJob::id).containsExactly(id(1), id(2), id(3));
    assertThat(first.deleted()).containsExactly(id(8));
    index.archived(
        new IndexCommand.Archived(
            List.of(new RowRef(id(1), 3), new RowRef(id(2), 2)),
            List.of(new RowRef(id(3), 3)),
            List.of(id(8))));
    IndexAnswer.Ended then = ended(3, true);
    assertThat(then.others()).extracting(EndedJob::id).containsExactly(id(1));
    assertThat(then.waiting()).extracting(EndedJob::id).containsExactly(id(2), id(4), id(5));
    assertThat(then.unwritten()).as("one is written, one refused").isEqualTo(4);
    assertThat(then.deleted()).isEmpty();
    index.is(job(1, JobState.QUEUED, 4));
    index.is(job(1, JobState.DEAD, 5));
    assertThat(ended(3, true).others()).as("it ran again").isEmpty();
  }
}
