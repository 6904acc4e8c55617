package io.callboard.jobs.internal.index;

import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.vertx.core.Future;
import io.vertx.core.Promise;
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
  /** Port to the indexes of other nodes. */
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
    Promise<Set<String>> all = Promise.promise();
    rows(questions, index, null, new HashSet<>(), all);
    return all.future();
  }

  /** Asks for a page, and then for the next one; however many there are, none waits for another. */
  private void rows(
      Questions questions,
      JobIndex index,
      @Nullable String after,
      Set<String> unsure,
      Promise<Set<String>> all) {
    Future.<Void>succeededFuture()
        .compose(
            v ->
                questions.ask(
                    node, new IndexCommand.HandOver(partition, epoch - 1, HandedRow.FORMAT, after)))
        .map(page -> take(page, index, after, unsure))
        .onComplete(
            next -> {
              if (next.failed()) {
                all.fail(next.cause());
              } else if (next.result() == null) {
                all.complete(unsure);
              } else {
                rows(questions, index, next.result(), unsure, all);
              }
            });
  }

  /** Takes a page; returns the last job of it, null if no more follow. */
  private @Nullable String take(
      IndexAnswer.HandedOver page, JobIndex index, @Nullable String after, Set<String> unsure) {
    String next = page.next();
    if (!page.has()) {
      throw no("does not have them");
    } else if (!index.has(partition, epoch)) {
      throw no("is not asked any more, the partition was lost");
    } else if (next != null && after != null && next.compareTo(after) <= 0) {
      throw no("has pages out of order");
    }
    unsure.addAll(page.unsure());
    index.handed(partition, epoch, page, unsure);
    return next;
  }

  private IllegalStateException no(String why) {
    return new IllegalStateException(
        "node %s, asked for the rows of partition %d, %s".formatted(node, partition, why));
  }
}
