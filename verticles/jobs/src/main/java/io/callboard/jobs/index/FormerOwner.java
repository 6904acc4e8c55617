package io.callboard.jobs.index;

import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Former owner of a partition that this node owns in an epoch, which is asked for its rows.
 *
 * @param node name of the former owner
 * @param epoch the epoch of this node, the one after the former owner's
 */
record FormerOwner(String node, int partition, long epoch) {
  /** Way to the index of a node. */
  @FunctionalInterface
  interface Questions {
    /** Asks a node for rows; fails if it does not answer. */
    Future<IndexAnswer.HandedOver> ask(String node, IndexCommand.HandOver question);
  }

  /** Returns the former owner; empty if there was none, or it has not given the partition back. */
  static Optional<FormerOwner> of(Lease lease, Claim claim) {
    return claim
        .seen()
        .filter(seen -> claim.lostOwner().isEmpty() && seen.epoch() == lease.epoch() - 1)
        .map(seen -> seen.isFree() ? seen.last() : seen.owner())
        .filter(node -> !node.isEmpty())
        .map(node -> new FormerOwner(node, lease.partition().number(), lease.epoch()));
  }

  /**
   * Takes the rows into the index; completes with the jobs whose records are to be read. Fails if
   * the former owner does not have all rows; those that came are right nevertheless.
   */
  Future<Set<String>> rows(Questions questions, JobIndex index) {
    return rows(questions, index, null, new HashSet<>());
  }

  private Future<Set<String>> rows(
      Questions questions, JobIndex index, @Nullable String after, Set<String> unsure) {
    return questions
        .ask(node, new IndexCommand.HandOver(partition, epoch - 1, HandedRow.FORMAT, after))
        .compose(
            page -> {
              String next = page.next();
              if (!page.has()) {
                return no("does not have them");
              } else if (!index.has(partition, epoch)) {
                return no("is not asked any more, the partition was lost");
              } else if (next != null && after != null && next.compareTo(after) <= 0) {
                return no("has pages out of order");
              }
              unsure.addAll(page.unsure());
              index.handed(partition, epoch, page, unsure);
              return next == null
                  ? Future.succeededFuture(unsure)
                  : rows(questions, index, next, unsure);
            });
  }

  private <T> Future<T> no(String why) {
    return Future.failedFuture(
        new IllegalStateException(
            "node %s, asked for the rows of partition %d, %s".formatted(node, partition, why)));
  }
}
