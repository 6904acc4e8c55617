package io.callboard.internal.activation;

import io.callboard.cell.LeaseCounts;
import io.callboard.codecs.Partition;
import io.callboard.internal.activation.ActiveActors.Entry;
import io.callboard.internal.context.NodeContext;
import io.callboard.internal.membership.CellEvents;
import io.callboard.internal.ownership.AccessDenials;
import io.callboard.internal.ownership.LeaseMeter;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.time.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listener that passes changes of this node's partitions on to the durable actors in them. Called
 * on the durable context.
 */
public final class OwnedPartitions implements PartitionOwnership.Listener {
  private static final Logger log = LoggerFactory.getLogger(OwnedPartitions.class);

  /** Limit for the turns under way in a partition that is given back. */
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(5);

  private final NodeContext node;
  private final AccessDenials denials;
  private final ActiveActors activeActors;
  private final MailActivator wake;
  private final CellEvents news;
  private final LeaseMeter meter = new LeaseMeter();

  OwnedPartitions(
      NodeContext node,
      AccessDenials denials,
      ActiveActors activeActors,
      MailActivator wake,
      CellEvents news) {
    this.node = node;
    this.denials = denials;
    this.activeActors = activeActors;
    this.wake = wake;
    this.news = news;
  }

  /** Returns the counts of gained and lost leases. Any thread. */
  public LeaseCounts counts() {
    return meter.snapshot();
  }

  @Override
  public void gained(Lease lease, Claim claim) {
    String lost = claim.lostOwner().orElse(null);
    denials.allowed("partition " + lease.partition());
    for (Entry entry : activeActors.within(lease.partition())) {
      entry.runner().own(lease);
      if (lost != null) {
        entry.runner().nodeLost(lost);
      }
    }
    wake.sweep(lease.partition(), lost);
    meter.gained(lease.partition(), claim.loss());
    news.gained(lease, claim);
  }

  /**
   * Makes the actors commit what they have handled and begin nothing else; cut off after a limit.
   */
  @Override
  public Future<Void> leave(Partition partition) {
    List<Future<Void>> atRest = new ArrayList<>();
    for (Entry entry : activeActors.within(partition)) {
      atRest.add(entry.runner().leave());
    }
    if (atRest.isEmpty()) {
      return Future.succeededFuture();
    }
    Promise<Void> left = Promise.promise();
    Time.Alarm cutOff =
        node.after(
            LEAVE_LIMIT,
            () -> {
              if (left.tryComplete()) {
                log.info(
                    "partition {} is released although not all of its actors have come to rest in time",
                    partition);
              }
            });
    Future.join(atRest)
        .onComplete(
            done -> {
              cutOff.cancel();
              left.tryComplete();
            });
    return left.future();
  }

  @Override
  public void lost(Partition partition) {
    activeActors.within(partition).forEach(activeActors::disown);
    meter.lost(partition);
    wake.lost(partition);
    news.lost(partition);
  }

  @Override
  public void elsewhere(Set<Partition> partitions) {
    partitions.forEach(partition -> denials.allowed("partition " + partition));
    for (Entry entry : activeActors.all()) {
      if (!entry.runner().isOwned() && partitions.contains(entry.partition())) {
        entry.runner().disown();
      }
    }
  }

  @Override
  public void denied(Partition partition, StoreException cause) {
    denials.denied("partition " + partition, cause);
    for (Entry entry : activeActors.within(partition)) {
      if (!entry.runner().isOwned()) {
        entry.runner().denied(cause);
      }
    }
  }

  @Override
  public void unreadable(Partition partition, StoreException cause) {
    for (Entry entry : activeActors.within(partition)) {
      if (!entry.runner().isOwned()) {
        entry.runner().unclaimable(cause);
      }
    }
  }

  @Override
  public void looked(@Nullable StoreException denial) {
    denials.note("the list of leases and members", denial);
  }
}
