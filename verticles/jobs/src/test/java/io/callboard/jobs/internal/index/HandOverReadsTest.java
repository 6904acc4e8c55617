package io.callboard.jobs.internal.index;

import static io.callboard.jobs.internal.index.IndexedNode.JOBS;
import static io.callboard.jobs.internal.index.IndexedNode.LONG;
import static io.callboard.jobs.internal.index.IndexedNode.QUEUED;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import io.callboard.jobs.internal.actor.JobObserver;
import io.callboard.jobs.internal.actor.Tombstone;
import io.callboard.jobs.internal.protocol.JobCommand;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import io.callboard.store.memory.MemoryStore;
import io.callboard.testkit.NodesExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Records of jobs that a node reads when it gains partitions, counted at its store. */
class HandOverReadsTest {
  @RegisterExtension final NodesExtension nodes = new NodesExtension();

  private final LocalQuestions questions = new LocalQuestions();

  private IndexedNode open(String name, Function<CellIndex, JobObserver> observer) {
    RecordReads reads = new RecordReads();
    Callboard node =
        nodes.open(name, options -> options.store(() -> reads.of(new MemoryStore(nodes.cell()))));
    CellIndex index = new CellIndex(node, job -> {}, questions);
    questions.add(node);
    return new IndexedNode(node, index, observer.apply(index), reads);
  }

  private IndexedNode open(String name) {
    return open(name, index -> index);
  }

  /** Hands all partitions over; returns how many records the next owner read for that. */
  private static int leave(IndexedNode from, IndexedNode to, Map<JobState, Long> expected) {
    from.isNotAlone();
    int before = to.reads.count();
    await(to.node.leases().drain(false)); // it may have left before
    await(from.index.leave());
    to.hasAll(expected);
    return to.reads.count() - before;
  }

  /** Observer that can keep from the index that a change was committed. */
  private static final class Muffled implements JobObserver {
    private final CellIndex index;
    private volatile boolean muffled;

    Muffled(CellIndex index) {
      this.index = index;
    }

    @Override
    public Runnable begins(String job) {
      Runnable known = index.begins(job);
      return () -> {
        if (!muffled) {
          known.run();
        }
      };
    }

    @Override
    public void is(Job job) {
      if (!muffled) {
        index.is(job);
      }
    }

    @Override
    public void remains(String job, Tombstone tombstone) {
      index.remains(job, tombstone);
    }

    @Override
    public void gone(String job, long version) {
      index.gone(job, version);
    }
  }

  /** Returns the first node, which has all jobs. */
  private IndexedNode filled() {
    IndexedNode first = open("first");
    first.fill();
    return first;
  }

  @Test
  void aNodeThatGainsPartitionsReadsTheRecordsThatMayHaveChangedAlone() {
    List<Muffled> muffled = new ArrayList<>();
    IndexedNode first =
        open(
            "first",
            index -> {
              muffled.add(new Muffled(index));
              return muffled.get(0);
            });
    first.fill();
    IndexedNode second = open("second");
    assertThat(leave(first, second, QUEUED)).as("joining").isZero();
    assertThat(second.reads.count()).as("since its start").isZero();
    assertThat(leave(second, first, QUEUED)).as("away and back").isZero();

    muffled.get(0).muffled = true; // as if a life ended between its commit and its report
    await(first.ask(7, new JobCommand.Cancel(SampleJobs.NOW)));
    first.hasAll(QUEUED);
    assertThat(leave(first, second, Map.of(JobState.QUEUED, JOBS - 1L, JobState.CANCELLED, 1L)))
        .as("one has changed")
        .isEqualTo(1);
  }

  /** A node that stops: its index does not answer any more when its departure has ended. */
  @Test
  void aNodeThatStopsHandsOverBeforeItsIndexIsClosed() {
    IndexedNode first = filled();
    IndexedNode second = open("second");
    first.isNotAlone();
    await(first.index.leave(LONG, LONG)); // else a pause of the machine ends it
    questions.remove(first.node);
    await(first.index.close());
    second.hasAll(QUEUED);
    assertThat(second.reads.count()).isZero();
  }

  @Test
  void aDepartureEndsIfNobodyTakesTheRemainingRows() {
    IndexedNode first = filled();
    nodes.open("second"); // which hosts no jobs
    first.isNotAlone();
    await(first.index.leave());
    assertThat(first.index.here().coverage().epochs()).hasSize(first.index.here().partitions());
  }

  @Test
  void withoutItsFormerOwnerAllRecordsOfAPartitionAreRead() {
    IndexedNode first = filled();
    IndexedNode second = open("second");
    questions.remove(first.node);
    assertThat(leave(first, second, QUEUED)).isEqualTo(JOBS);
  }
}
