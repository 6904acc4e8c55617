package io.callboard.workflows;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.CodecException;
import io.callboard.codecs.Partition;
import io.callboard.grid.index.OneByOne;
import io.callboard.grid.index.SweepSchedule;
import io.callboard.store.StoredActor;
import io.callboard.workflows.actor.IntakeActor;
import io.callboard.workflows.intake.IntakeMachine;
import io.callboard.workflows.starts.IntakeCommand;
import io.callboard.workflows.starts.IntakeData;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweep that removes receipts of messages which were kept for {@link IntakeMachine#KEPT}, about
 * once an hour and each by the node that owns it. (A timer for each would hold all of them in
 * memory.)
 */
final class ReceiptSweep {
  /** Maximum number of receipts in one sweep; the next takes the rest. */
  static final int MOST = 50_000;

  private static final Logger log = LoggerFactory.getLogger(ReceiptSweep.class);
  private static final Duration EVERY = Duration.ofHours(1);
  private static final ActorPath STORED = ActorPath.of(IntakeActor.PREFIX);

  private final Callboard callboard;
  private final Supplier<Collection<Integer>> owned;
  private final SweepSchedule schedule;

  /**
   * Creates the sweep of a node.
   *
   * @param owned returns the numbers of the partitions that this node owns
   */
  ReceiptSweep(Callboard callboard, Supplier<Collection<Integer>> owned) {
    this.callboard = callboard;
    this.owned = owned;
    this.schedule = new SweepSchedule(callboard, EVERY, this::sweep, ReceiptSweep::failed);
  }

  /** Starts to sweep, first after a random time. */
  void start() {
    schedule.start();
  }

  private static void failed(Throwable cause) {
    log.info(
        "old receipts of messages could not be removed; the next sweep tries again: {}",
        cause.toString());
  }

  /** Removes what was kept long enough. */
  Future<Void> sweep() {
    Instant before = callboard.time().clock().instant().minus(IntakeMachine.KEPT);
    List<String> over = new ArrayList<>();
    Future<Void> read = Future.succeededFuture();
    for (int number : owned.get()) {
      Partition partition = new Partition(STORED.space(), number);
      read =
          read.compose(
              v ->
                  callboard
                      .leases()
                      .actors(
                          partition,
                          STORED,
                          page ->
                              page.readable().stream()
                                  .filter(actor -> isOver(actor, before))
                                  .limit(MOST - over.size())
                                  .forEach(actor -> over.add(actor.path().toString()))));
    }
    return read.compose(
        v ->
            OneByOne.all(
                over,
                path ->
                    callboard.durableRef(path, IntakeCommand.class).tell(new IntakeCommand.Due())));
  }

  private static boolean isOver(StoredActor actor, Instant before) {
    try {
      return actor
          .record()
          .state(IntakeData.class)
          .map(IntakeData::finishedAt)
          .filter(finished -> !finished.isAfter(before))
          .isPresent();
    } catch (CodecException e) {
      log.warn("the message {} cannot be read and is kept: {}", actor.path(), e.getMessage());
      return false;
    }
  }

  /** Ends it. */
  void close() {
    schedule.close();
  }
}
