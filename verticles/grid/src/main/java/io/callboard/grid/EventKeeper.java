package io.callboard.grid;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.store.StoreException;
import io.callboard.store.StoreException.Kind;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the events of the cell for the holder of the monitor's role. It writes them whole, at most
 * once at each scan, and only if they have changed, into the document of the role, which a former
 * holder cannot write. Each life of the actor has its own.
 *
 * <p>Failure windows: a holder that dies before it has written leaves the document as it was; the
 * next one finds the same differences and notes again, and tells that a node went at the time when
 * it saw that. If an earlier version held the role meanwhile, which keeps its own, one departure
 * may be told by both. A document that cannot be read is never overwritten.
 */
final class EventKeeper {
  private static final Logger log = LoggerFactory.getLogger(EventKeeper.class);

  private final String boot;
  private final Supplier<Future<Optional<byte[]>>> reader;
  private final BiFunction<Lease, byte[], Future<Void>> writer;

  /** Log as of the last look under that lease; null before the first. */
  private @Nullable EventLog known;

  /** Log that the document has; null if it is to be written in any case. */
  private @Nullable EventLog kept;

  /** Epoch of the lease under which the document was read. */
  private long epoch;

  private @Nullable String failure;

  /**
   * @param boot boot id of this node
   * @param reader reads the document of the role
   * @param writer writes it, if that lease is the present one
   */
  EventKeeper(
      String boot,
      Supplier<Future<Optional<byte[]>>> reader,
      BiFunction<Lease, byte[], Future<Void>> writer) {
    this.boot = boot;
    this.reader = reader;
    this.writer = writer;
  }

  /** Returns whether the document has all events that were known at the last pass. */
  boolean hasKept() {
    return known != null && known.equals(kept);
  }

  /**
   * Stores the events of one pass of the monitor. Never fails: the next pass writes what this one
   * could not.
   *
   * @param leases those of the cell, as read for this look
   * @param before log in the state of the role's actor, where an earlier version kept it; null if
   *     there is none
   * @param after returns the log after the look
   */
  Future<Void> look(
      Map<Partition, Lease> leases, @Nullable EventLog before, UnaryOperator<EventLog> after) {
    Lease held = leases.get(Partition.ofRole(GridMonitor.ROLE));
    if (held == null || !held.ownerBoot().equals(boot)) {
      return Future.succeededFuture(); // another node holds the role, and so keeps the events
    }
    return read(held, before)
        .compose(found -> keep(held, after.apply(found)))
        .onSuccess(done -> failure = null)
        .recover(
            cause -> {
              report(cause);
              return Future.succeededFuture();
            });
  }

  private Future<EventLog> read(Lease held, @Nullable EventLog before) {
    if (known != null && epoch == held.epoch()) {
      return Future.succeededFuture(known);
    }
    known = null; // whatever fails from here on, what a former epoch knew is never written
    return reader
        .get()
        .map(
            document -> {
              EventLog stored = document.map(StoredEvents::decode).orElse(null);
              kept = before == null ? stored : null;
              epoch = held.epoch();
              return before == null
                  ? stored == null ? EventLog.EMPTY : stored
                  : stored == null ? before : before.with(stored.events());
            });
  }

  private Future<Void> keep(Lease held, EventLog now) {
    known = now;
    return now.equals(kept)
        ? Future.succeededFuture()
        : writer.apply(held, StoredEvents.encode(now)).onSuccess(done -> kept = now);
  }

  private void report(Throwable cause) {
    if (cause instanceof StoreException store && store.kind() == Kind.CONFLICT) {
      log.debug("the role of the grid monitor has another holder, who keeps the events", cause);
      return;
    }
    String why = String.valueOf(cause.getMessage());
    if (!why.equals(failure)) {
      log.warn("the events of the cell are not kept, which is tried again: {}", why);
    }
    failure = why;
  }
}
