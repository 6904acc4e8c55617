package io.callboard.jobs.internal.index;

import static io.callboard.jobs.internal.index.IndexedNode.JOBS;
import static io.callboard.jobs.internal.index.IndexedNode.LONG;
import static io.callboard.jobs.internal.index.IndexedNode.QUEUED;
import static io.callboard.testkit.Futures.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.callboard.Callboard;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows of jobs that nodes hand over to each other on their links, as they do in production. */
@Tag("real")
class HandOverLinksTest {
  private static final int ROUNDS = 6;

  @RegisterExtension final LinkedNodes nodes = new LinkedNodes();

  private IndexedNode open(String name) {
    RecordReads reads = new RecordReads();
    Callboard node = nodes.open(name, reads::of);
    CellIndex index = new CellIndex(node, job -> {}, List::of, null);
    return new IndexedNode(node, index, index, reads);
  }

  /** Hands all partitions of a node over, which ends when the last page has been fetched. */
  private static void leave(IndexedNode from, IndexedNode to) {
    from.isNotAlone();
    await(to.node.leases().drain(false)); // it may have left before
    await(from.index.leave(LONG, LONG));
    to.hasAll(QUEUED);
  }

  /** A former owner that answers late is not waited for, so a pause of the machine costs reads. */
  @Test
  void partitionsThatAreHandedOverCostNoReadOfARecord() {
    IndexedNode from = open("first");
    from.fill();
    IndexedNode to = open("second");
    int before = 0;
    int reads = JOBS;
    for (int round = 0; round < ROUNDS && reads > 0; round++) {
      leave(from, to);
      reads = to.reads.count() - before;
      IndexedNode next = from;
      from = to;
      to = next;
      before = to.reads.count();
    }
    assertThat(reads).as("all partitions, at once or in one of the rounds after it").isZero();
    IndexedNode without = to;
    assertThat(without.index.here().handedPages())
        .isGreaterThanOrEqualTo(without.index.here().partitions());
    assertThat(without.index.here().unhanded()).as("kept for nobody").isZero();
    CellPage page = await(without.index.peers().page(SampleJobs.all(true, 9), JOBS, List.of()));
    assertThat(page.rows()).as("from the other node").hasSize(JOBS);
  }

  @Test
  void aFormerOwnerWithoutAnIndexLeavesTheRecordsToBeRead() {
    IndexedNode first = open("first");
    first.fill();
    await(first.node.stop(IndexActor.path("first")));
    IndexedNode second = open("second");
    await(first.node.leases().drain(true));
    second.hasAll(QUEUED);
    assertThat(second.reads.count()).isGreaterThanOrEqualTo(JOBS);
    assertThat(first.index.here().handedPages()).isZero();
  }
}
