package io.callboard.internal.ownership;

import io.callboard.codecs.Partition;
import io.callboard.placement.Claims;
import io.callboard.store.Lease;
import io.callboard.store.Store;
import io.callboard.supervision.Causes;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hand-overs of partitions: brings each to rest, then gives its lease back. Used on the durable
 * context.
 */
final class HandOvers {
  private static final Logger log = LoggerFactory.getLogger(HandOvers.class);

  private final Store store;
  private final Claims claims;
  private final Consumer<Runnable> onContext;
  private final PartitionOwnership.Listener listener;
  private final Consumer<Boolean> ended;
  private final List<Future<Void>> underWay = new ArrayList<>();
  private boolean closed;

  /**
   * @param onContext runs a task on the durable context
   * @param ended called with whether the lease was given back; if not, its owner has to be read
   *     again
   */
  HandOvers(
      Store store,
      Claims claims,
      Consumer<Runnable> onContext,
      PartitionOwnership.Listener listener,
      Consumer<Boolean> ended) {
    this.store = store;
    this.claims = claims;
    this.onContext = onContext;
    this.listener = listener;
    this.ended = ended;
  }

  /** Brings a partition to rest and gives it back. */
  void begin(Partition partition) {
    Lease held = claims.held(partition).orElse(null);
    if (held == null) {
      return;
    }
    Promise<Void> over = Promise.promise();
    underWay.removeIf(Future::isComplete);
    underWay.add(over.future());
    listener.leave(partition).onComplete(atRest -> onContext.accept(() -> release(held, over)));
  }

  private boolean isHeld(Lease lease) {
    return claims.held(lease.partition()).filter(lease::equals).isPresent();
  }

  private void release(Lease held, Promise<Void> over) {
    if (!isHeld(held) || closed) {
      over.complete(); // taken by another meanwhile, or given back with all others
      return;
    }
    Lease handed = held.handedTo(claims.successor(held.partition()));
    store
        .release(handed)
        .onComplete(
            released -> onContext.accept(() -> released(held, handed, released.cause(), over)));
  }

  private void released(
      Lease lease, Lease handed, @Nullable Throwable failure, Promise<Void> over) {
    if (!isHeld(lease)) {
      over.complete();
      return;
    } else if (failure == null) {
      claims.released(handed);
    } else {
      log.info(
          "the lease of partition {} could not be released, and is read again: {}",
          lease.partition(),
          Causes.text(failure));
      claims.lost(lease.partition());
    }
    try {
      listener.lost(lease.partition());
    } finally {
      over.complete();
      ended.accept(failure == null);
    }
  }

  /** Completes when the hand-overs under way have ended. */
  Future<Void> over() {
    return Future.join(List.copyOf(underWay)).mapEmpty();
  }

  /** Gives every lease back, at rest or not. */
  Future<Void> close() {
    closed = true;
    List<Future<Void>> releases = new ArrayList<>();
    for (Lease lease : List.copyOf(claims.held())) {
      releases.add(store.release(lease));
      claims.lost(lease.partition());
    }
    return Future.join(releases)
        .<Void>mapEmpty()
        .otherwise(
            cause -> {
              log.info(
                  "some leases could not be released; other nodes claim them when the session has"
                      + " ended: {}",
                  Causes.text(cause));
              return null;
            });
  }
}
