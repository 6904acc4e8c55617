package io.callboard.jobs.internal.index;

import static io.callboard.jobs.internal.index.SampleJobs.NOW;
import static io.callboard.jobs.internal.index.SampleJobs.all;
import static io.callboard.jobs.internal.index.SampleJobs.id;
import static io.callboard.jobs.internal.index.SampleJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.codecs.ActorPath;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.model.JobState;
import io.callboard.placement.Decisions.Claim;
import io.callboard.placement.VacancyReason;
import io.callboard.store.Lease;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows of a partition that one index loses and another gains. */
class HandOverTest {
  private static final int PARTITIONS = 4;
  private static final int PARTITION = 1;

  private final JobIndex from = new JobIndex(PARTITIONS);
  private final JobIndex to = new JobIndex(PARTITIONS);

  private List<Integer> jobs(int count) {
    return IntStream.iterate(0, n -> n + 1)
        .filter(number -> from.partition(id(number)) == PARTITION)
        .limit(count)
        .boxed()
        .toList();
  }

  private void owned(JobIndex index, long epoch) {
    assertThat(index.gained(PARTITION, epoch)).isTrue();
    index.allRead(PARTITION, epoch);
  }

  /** Fills the first index with jobs that wait. */
  private List<Integer> filled(int count) {
    owned(from, 1);
    List<Integer> jobs = jobs(count);
    jobs.forEach(number -> from.is(job(number, JobState.QUEUED, 1)));
    return jobs;
  }

  private static Tombstone tombstone(String... hosts) {
    return new Tombstone(NOW, NOW.plus(Duration.ofHours(25)), List.of(hosts), null, null);
  }

  private IndexAnswer.HandedOver page(long epoch, @Nullable String after) {
    return from.handOver(new IndexCommand.HandOver(PARTITION, epoch, HandedRow.FORMAT, after));
  }

  /** Hands the partition over in epoch 2; returns the jobs whose records are to be read. */
  private Set<String> handOver() {
    assertThat(to.gained(PARTITION, 2)).isTrue();
    Set<String> unsure =
        new FormerOwner("from", PARTITION, 2)
            .rows((node, question) -> Future.succeededFuture(from.handOver(question)), to)
            .result();
    assertThat(unsure).as("rows were handed over").isNotNull();
    to.allRead(PARTITION, 2);
    return unsure;
  }

  @Test
  void theNextOwnerHasTheSameRowsInPages() {
    List<Integer> jobs = filled(3 * LeftRows.MOST + 7);
    List<Integer> deleted = jobs.subList(LeftRows.MOST, 2 * LeftRows.MOST + 3);
    deleted.forEach(number -> from.remains(id(number), tombstone("h1")));
    from.is(job(jobs.get(0), JobState.SUCCEEDED, 2));
    IndexTally before = from.tally("n", "b");
    List<RowRef> rows = from.page(all(true, 9), 9_999);

    from.lost(PARTITION);
    assertThat(from.size()).isZero();
    assertThat(page(1, null).rows()).hasSize(LeftRows.MOST);
    assertThat(handOver()).isEmpty();
    assertThat(to.page(all(true, 9), 9_999)).isEqualTo(rows);
    IndexTally after = to.tally("n", "b");
    assertThat(after.byType()).isEqualTo(before.byType());
    assertThat(after.deleted()).isEqualTo(before.deleted()).isEqualTo(deleted.size());
    assertThat(after.runsEnded()).as("nothing happens by it").isZero();
    assertThat(to.filesAt("h1", 9_999)).hasSize(deleted.size());
    assertThat(page(1, null).has()).as("nobody else owns it next").isFalse();
    assertThat(from.unhanded()).isZero();
  }

  @Test
  void handedRowsEqualTheRecords() {
    owned(from, 1);
    int number = jobs(1).get(0);
    from.is(job(number, "a", JobState.DEAD, 3, List.of("sh", "-c", "grün"), Map.of("k", "v")));
    from.lost(PARTITION);
    assertThat(handOver()).isEmpty();
    for (String text : List.of("-c grün", "k=v")) {
      assertThat(to.page(SampleJobs.query("a", null, null, text, true, 9, null), 9)).hasSize(1);
    }
    assertThat(to.page(SampleJobs.query(null, null, "k=v", null, true, 9, null), 9)).hasSize(1);
    IndexAnswer.Ended ended = to.ended(new IndexCommand.Ended(9, true, new EndCutoffs(NOW)));
    assertThat(ended.waiting()).as("the archivist writes it again").hasSize(1);
    assertThat(ended.waiting().get(0).at()).isEqualTo(NOW.plusSeconds(number));
  }

  @Test
  void aJobWhoseLastCommitIsNotKnownIsReadNotHanded() {
    List<Integer> jobs = filled(5);
    Runnable first = from.begins(id(jobs.get(0)));
    Runnable second = from.begins(id(jobs.get(0))); // stands for the first, of an ended life
    Runnable known = from.begins(id(jobs.get(1)));
    known.run();
    first.run();
    from.lost(PARTITION);
    second.run(); // too late: it was not put

    assertThat(handOver()).containsExactly(id(jobs.get(0)));
    assertThat(to.size()).isEqualTo(4);
    to.read(PARTITION, 2, job(jobs.get(0), JobState.RUNNING, 2));
    assertThat(to.state(id(jobs.get(0)))).contains(JobState.RUNNING);
    to.lost(PARTITION);
    assertThat(owns(from, 3, to)).as("what was begun before is settled").isEmpty();
  }

  private static Set<String> owns(JobIndex index, long epoch, JobIndex former) {
    assertThat(index.gained(PARTITION, epoch)).isTrue();
    Set<String> unsure =
        new FormerOwner("former", PARTITION, epoch)
            .rows((node, question) -> Future.succeededFuture(former.handOver(question)), index)
            .result();
    index.allRead(PARTITION, epoch);
    return unsure;
  }

  @Test
  void anOwnerThatDoesNotKnowOfItsLossNamesTheJobsThatItIsCommitting() {
    List<Integer> jobs = filled(LeftRows.MOST + 10);
    String late = id(jobs.get(jobs.size() - 1));
    Runnable known = from.begins(late);
    IndexAnswer.HandedOver first = page(1, null);
    assertThat(first.unsure()).containsExactly(late);
    from.is(job(jobs.get(jobs.size() - 1), JobState.RUNNING, 2));
    known.run();
    from.lost(PARTITION);
    IndexAnswer.HandedOver second = page(1, first.next());
    assertThat(second.next()).isNull();
    assertThat(second.rows()).hasSize(10);
    assertThat(to.gained(PARTITION, 2)).isTrue();
    to.handed(PARTITION, 2, first, Set.of(late));
    to.handed(PARTITION, 2, second, Set.of(late));
    assertThat(to.size()).isEqualTo(jobs.size() - 1);
  }

  @Test
  void commitsOfTheNextOwnerWinOverRowsThatAreHandedOver() {
    List<Integer> jobs = filled(3);
    from.remains(id(jobs.get(2)), tombstone("h1"));
    from.lost(PARTITION);
    assertThat(to.gained(PARTITION, 2)).isTrue();
    to.is(job(jobs.get(0), JobState.RUNNING, 2));
    to.gone(id(jobs.get(1)), 1);
    to.remains(id(jobs.get(2)), tombstone());
    IndexAnswer.HandedOver page = page(1, null);
    assertThat(page.rows()).hasSize(2);
    to.handed(PARTITION, 2, page, Set.of());
    assertThat(to.page(all(true, 9), 9)).containsExactly(new RowRef(id(jobs.get(0)), 2));
    assertThat(to.filesAt("h1", 9)).isEmpty();

    JobIndex later = new JobIndex(PARTITIONS);
    assertThat(later.gained(PARTITION, 3)).isTrue();
    later.handed(PARTITION, 2, page, Set.of());
    assertThat(later.size()).as("rows belong to one epoch").isZero();
  }

  /** The answer to who deleted it comes before the rows of the former owner, which has done it. */
  @Test
  void theTombstoneOfAJobThatThisNodeDeletedIsTakenOver() {
    List<Integer> jobs = filled(2);
    String deleted = id(jobs.get(0));
    from.remains(deleted, tombstone("h1"));
    from.lost(PARTITION);
    assertThat(to.gained(PARTITION, 2)).isTrue();
    to.deleted(deleted);
    to.handed(PARTITION, 2, page(1, null), Set.of());
    to.read(PARTITION, 2, job(jobs.get(0), JobState.QUEUED, 1));
    assertThat(to.filesAt("h1", 9)).containsExactly(deleted);
    assertThat(to.tally("n", "b").deleted()).isEqualTo(1);
    assertThat(to.page(all(true, 9), 9)).containsExactly(new RowRef(id(jobs.get(1)), 1));
  }

  @Test
  void rowsThatAreNotWholeAreNotHandedOver() {
    List<Integer> jobs = filled(LeftRows.MOST_UNSURE + 1);
    assertThat(page(1, null).has()).isTrue();
    assertThat(page(2, null).has()).as("of another epoch").isFalse();
    assertThat(
            from.handOver(new IndexCommand.HandOver(PARTITION, 1, HandedRow.FORMAT + 1, null))
                .has())
        .as("of another form")
        .isFalse();
    List<Runnable> known = new ArrayList<>();
    jobs.forEach(number -> known.add(from.begins(id(number))));
    assertThat(page(1, null).has()).as("too many changes").isFalse();
    known.forEach(Runnable::run);
    from.unreadable(PARTITION, 1);
    assertThat(page(1, null).has()).as("a newer node may read the record").isFalse();
    assertThat(from.gained(PARTITION, 5)).isTrue();
    assertThat(page(5, null).has()).as("not read yet").isFalse();
    from.allRead(PARTITION, 5);
    from.lost(PARTITION);
    from.forget(PARTITION, 1);
    assertThat(page(5, null).has()).as("another loss was forgotten").isTrue();
    from.forget(PARTITION, 5);
    assertThat(from.unhanded()).isZero();
  }

  @Test
  void thePartitionThatWasLostFirstStaysIfThereIsNoRoomForMore() {
    LostPartitions lost = new LostPartitions(10);
    for (int partition = 0; partition < 3; partition++) {
      PartitionRows rows = new PartitionRows(7, new RowCounts());
      for (int number = 0; number < 4; number++) {
        JobId id = JobId.parse(id(number)).orElseThrow();
        rows.put(id, job(number, JobState.QUEUED, 1), false);
      }
      rows.allRead();
      lost.add(partition, new LeftRows(rows, List.of()));
    }
    assertThat(lost.of(0, 7)).isNotNull();
    assertThat(lost.of(1, 7)).isNotNull();
    assertThat(lost.of(1, 6)).isNull();
    assertThat(lost.of(2, 7)).isNull();
  }

  @Test
  void pagesOutOfOrderAreRefused() {
    assertThat(to.gained(PARTITION, 2)).isTrue();
    IndexAnswer.HandedOver same =
        new IndexAnswer.HandedOver(true, List.of(), List.of(), List.of(), id(1));
    Future<Set<String>> rows =
        new FormerOwner("from", PARTITION, 2)
            .rows((node, question) -> Future.succeededFuture(same), to);
    assertThat(rows.cause()).hasMessageContaining("out of order").hasMessageContaining("from");
  }

  private static Optional<FormerOwner> former(Lease seen, VacancyReason loss) {
    Lease lease = new Lease(seen.partition(), seen.epoch() + 1, "me", "boot", 9);
    return FormerOwner.of(lease, new Claim(seen.partition(), Optional.of(seen), loss));
  }

  @Test
  void onlyAnOwnerThatGaveThePartitionBackIsAskedForItsRows() {
    Lease owned = new Lease(ActorPath.of("/jobs/job/x").partition(PARTITIONS), 4, "a", "b", 3);
    FormerOwner a = new FormerOwner("a", owned.partition().number(), 5);
    assertThat(former(owned.released(NOW), VacancyReason.GIVEN_BACK)).contains(a);
    assertThat(former(owned, VacancyReason.OWN)).contains(a);
    assertThat(former(owned, VacancyReason.SESSION_ENDED)).isEmpty();
    assertThat(former(owned, VacancyReason.SILENT)).isEmpty();
    assertThat(
            FormerOwner.of(
                owned, new Claim(owned.partition(), Optional.empty(), VacancyReason.NONE_BEFORE)))
        .isEmpty();
  }
}
