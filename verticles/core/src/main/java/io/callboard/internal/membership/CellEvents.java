package io.callboard.internal.membership;

import io.callboard.cell.CellListener;
import io.callboard.cell.LeaseListener;
import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import io.callboard.supervision.Causes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatcher of the cell's events to its listeners; an exception of one does not keep an event from
 * the others.
 */
public final class CellEvents {
  private static final Logger log = LoggerFactory.getLogger(CellEvents.class);

  private final List<CellListener> cell = new CopyOnWriteArrayList<>();
  private final List<LeaseListener> leases = new CopyOnWriteArrayList<>();
  private @Nullable Long livesUntil; // on the durable context

  public void listen(CellListener listener) {
    cell.add(listener);
  }

  public void listen(LeaseListener listener) {
    leases.add(listener);
  }

  public void membersChanged() {
    tell(cell, CellListener::membersChanged);
  }

  public void sessionLives(long untilNanos) {
    livesUntil = untilNanos;
    tell(cell, listener -> listener.sessionLives(untilNanos));
  }

  /** Reports the present situation to a listener that was added late. */
  public void tellWhatHolds(CellListener late) {
    Long until = livesUntil;
    if (until != null) {
      tell(List.of(late), listener -> listener.sessionLives(until));
    }
  }

  public void sessionLost() {
    tell(cell, CellListener::sessionLost);
  }

  public void gained(Lease lease, Claim claim) {
    tell(leases, listener -> listener.gained(lease, claim));
  }

  public void lost(Partition partition) {
    tell(leases, listener -> listener.lost(partition));
  }

  /** Reports to a listener that was added late which leases this node has. */
  public void held(LeaseListener late, List<Lease> held) {
    tell(List.of(late), listener -> listener.held(held));
  }

  /** Reports that the actor of a role runs here. */
  public void serving(ActorPath role, Lease lease) {
    tell(leases, listener -> listener.serving(role, lease));
  }

  private static <L> void tell(List<L> listeners, Consumer<L> fact) {
    for (L listener : listeners) {
      try {
        fact.accept(listener);
      } catch (RuntimeException | Error e) {
        log.error(
            "listener {} for events of the cell failed",
            listener.getClass().getName(),
            Causes.readable(e));
      }
    }
  }
}
