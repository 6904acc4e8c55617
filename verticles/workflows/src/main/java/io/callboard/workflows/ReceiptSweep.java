package io.callboard.workflows;

import io.callboard.Callboard;
import io.callboard.grid.internal.index.PartitionSweep;
import io.callboard.grid.internal.key.DurableKey;
import io.callboard.store.StoredActor;
import io.callboard.workflows.internal.actor.IntakeActor;
import io.callboard.workflows.internal.starts.IntakeCommand;
import io.callboard.workflows.internal.starts.IntakeData;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/** Sweep that removes receipts of messages which were kept for {@link DurableKey#KEPT}. */
final class ReceiptSweep extends PartitionSweep<String> {
  /** Maximum number of receipts in one sweep; the next takes the rest. */
  static final int MOST = 50_000;

  private final Callboard callboard;

  /**
   * Creates the sweep of a node.
   *
   * @param owned returns the numbers of the partitions that this node owns
   */
  ReceiptSweep(Callboard callboard, Supplier<Collection<Integer>> owned) {
    super(callboard, IntakeActor.PREFIX, owned, MOST, "old receipts of messages");
    this.callboard = callboard;
  }

  @Override
  protected Optional<String> expired(StoredActor actor) {
    Instant now = callboard.time().clock().instant();
    return actor
        .record()
        .state(IntakeData.class)
        .map(IntakeData::finishedAt)
        .filter(finished -> DurableKey.isOver(finished, now))
        .map(finished -> actor.path().toString());
  }

  @Override
  protected Future<Void> remove(String path) {
    return callboard.durableRef(path, IntakeCommand.class).tell(new IntakeCommand.Due());
  }
}
