package io.callboard.jobs.internal.index;

import static io.callboard.jobs.internal.index.SampleJobs.NOW;
import static io.callboard.jobs.internal.index.SampleJobs.all;
import static io.callboard.jobs.internal.index.SampleJobs.id;
import static io.callboard.jobs.internal.index.SampleJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.model.JobState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that went: a report of their actor brings them back, a late answer does not. */
class GoneJobsTest {
  private static final Tombstone DELETED =
      new Tombstone(NOW, NOW.plus(Duration.ofHours(25)), List.of("h1"), null, null);

  private final JobIndex index = new JobIndex(1);

  @BeforeEach
  void ownsTheOnlyPartition() {
    owns(1);
    index.allRead(0, 1);
  }

  private void owns(long epoch) {
    assertThat(index.gained(0, epoch)).isTrue();
  }

  private void lists(RowRef... rows) {
    assertThat(index.page(all(true, 9), 9)).containsExactly(rows);
    assertThat(index.size()).isEqualTo(rows.length);
    assertThat(index.waiting()).as("all of them wait").isEqualTo(rows.length);
  }

  /** Restored from its row: the database was away for as long as a tombstone is kept. */
  @Test
  void aJobThatIsRestoredAfterItsTombstoneWasOverIsListed() {
    index.is(job(1, JobState.DEAD, 5));
    index.remains(id(1), DELETED);
    index.gone(id(1), Long.MAX_VALUE);
    index.is(job(1, JobState.QUEUED, 6));
    lists(new RowRef(id(1), 6));
    index.is(job(1, JobState.QUEUED, 7));
    lists(new RowRef(id(1), 7));
    index.gone(id(1), 7);
    lists();
  }

  /** Restored from a row older than its record was, or submitted again under its id. */
  @Test
  void aJobThatIsBackInAnEarlierVersionIsListed() {
    index.is(job(1, JobState.SUCCEEDED, 5));
    index.gone(id(1), 5);
    index.is(job(1, JobState.QUEUED, 1));
    lists(new RowRef(id(1), 1));
  }

  /** The life that removed the tombstone ended before it reported that. */
  @Test
  void aJobThatIsRestoredReplacesATombstoneWhoseEndWasNotReported() {
    index.remains(id(1), DELETED);
    index.is(job(1, JobState.QUEUED, 6));
    lists(new RowRef(id(1), 6));
    assertThat(index.tally("n", "b").deleted()).isZero();
    assertThat(index.filesAt("h1", 9)).isEmpty();
  }

  @Test
  void lateReadsOfARestoredJobChangeNothing() {
    owns(2);
    index.is(job(1, JobState.DEAD, 5));
    index.remains(id(1), DELETED);
    index.gone(id(1), Long.MAX_VALUE);
    index.is(job(1, JobState.QUEUED, 6));
    index.read(0, 2, job(1, JobState.DEAD, 5));
    index.read(0, 2, id(1), DELETED);
    index.allRead(0, 2);
    lists(new RowRef(id(1), 6));
  }

  /** The report of an earlier change may come after the reading of the record. */
  @Test
  void aTombstoneThatIsReadIsNewerThanAReportMeanwhile() {
    owns(2);
    index.read(0, 2, id(1), DELETED);
    index.is(job(1, JobState.DEAD, 5));
    index.allRead(0, 2);
    lists();
    assertThat(index.known(List.of(id(1)))).as("hides its row").containsExactly(id(1));
  }

  /** The job went at a former owner, without a tombstone. */
  @Test
  void aLateAnswerOfAJobThatIsNotKnownChangesNothing() {
    Runnable known = index.begins(id(1));
    index.lost(0);
    owns(3);
    index.answered(job(1, JobState.QUEUED, 1));
    index.allRead(0, 3);
    index.answered(job(1, JobState.QUEUED, 1));
    known.run();
    lists();
  }

  @Test
  void aLateAnswerOfAJobThatWentLongAgoChangesNothing() {
    index.is(job(1, JobState.QUEUED, 1));
    index.is(job(1, JobState.SUCCEEDED, 5));
    index.gone(id(1), 5);
    for (int number = 2; number < 1_000; number++) { // more than are remembered
      index.gone(id(number), 5);
    }
    index.answered(job(1, JobState.QUEUED, 1));
    lists();
  }

  @Test
  void aLateAnswerToADeletionDoesNotHideTheRestoredJob() {
    index.is(job(1, JobState.DEAD, 5));
    index.gone(id(1), Long.MAX_VALUE);
    index.is(job(1, JobState.QUEUED, 6));
    index.deleted(id(1));
    lists(new RowRef(id(1), 6));
  }

  /** The answer leaves first: the caller finds the job in lists at once. */
  @Test
  void anAnswerOfAnOpenChangeIsTakenBeforeItsReport() {
    Runnable known = index.begins(id(1));
    index.answered(job(1, JobState.QUEUED, 1));
    lists(new RowRef(id(1), 1));
    index.is(job(1, JobState.QUEUED, 1));
    known.run();
    index.answered(job(1, JobState.QUEUED, 2));
    lists(new RowRef(id(1), 1));

    Runnable gone = index.begins(id(1));
    index.deleted(id(1));
    lists();
    index.gone(id(1), Long.MAX_VALUE);
    gone.run();
    index.deleted(id(1));
    index.is(job(1, JobState.QUEUED, 3));
    lists(new RowRef(id(1), 3));
  }
}
