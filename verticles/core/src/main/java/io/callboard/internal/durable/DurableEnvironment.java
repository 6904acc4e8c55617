package io.callboard.internal.durable;

import io.callboard.codecs.ActorPath;
import io.callboard.internal.commit.PendingUnit;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.context.WeightedLimiter;
import io.callboard.internal.history.HistoryWriter;
import io.callboard.internal.lifecycle.ActorEnvironment;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.messaging.BlobTransfers;
import io.callboard.internal.messaging.MailboxAppender;
import io.callboard.internal.messaging.PendingAsks;
import io.callboard.internal.metrics.CommitMeter;
import io.callboard.internal.outbox.StuckLanes;
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.store.Store;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Parts of a node that run a durable actor, besides those that run any actor. Used on the durable
 * context.
 *
 * @param submit submits a unit to the group commit; fails it before the node is open
 * @param ownership the partition ownership of an open node
 * @param recoveries permits for actors that are read at the same time
 */
public record DurableEnvironment(
    ActorEnvironment actors,
    Store store,
    Consumer<PendingUnit> submit,
    Supplier<PartitionOwnership> ownership,
    CellEvents events,
    PendingAsks asks,
    BlobTransfers blobs,
    WeightedLimiter recoveries,
    HistoryWriter histories,
    AccessDenials denials,
    CommitMeter meter,
    StuckLanes stuck,
    MailboxAppender appender) {
  NodeContext node() {
    return actors.node();
  }

  /** Gives up an actor that another node owns. */
  void fenced(ActorPath actor) {
    ownership.get().lost(actor);
  }
}
