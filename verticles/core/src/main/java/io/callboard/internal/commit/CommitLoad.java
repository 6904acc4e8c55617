package io.callboard.internal.commit;

import io.callboard.codecs.ActorPath;
import io.callboard.codecs.Envelope;
import io.callboard.store.CommitUnit;
import io.callboard.store.Limits;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Size of a commit that is being put together, in operations and bytes. Not thread-safe. */
final class CommitLoad {
  /** Bytes of an operation besides its data. */
  private static final int OPERATION_BYTES = 160;

  /** Bytes of a record without its state. */
  private static final int RECORD_BYTES = 256;

  private final int mostUnits;
  private final Set<ActorPath> receivers = new HashSet<>();
  private int units;
  private int operations;
  private long bytes;

  CommitLoad(int mostUnits) {
    this.mostUnits = mostUnits;
  }

  /** Adds a unit; false if it does not fit. The first always fits. */
  boolean takes(CommitUnit unit) {
    int more = operations(unit);
    long moreBytes = more * (long) OPERATION_BYTES + bytes(unit);
    boolean fits =
        units < mostUnits
            && operations + more <= Limits.COMMIT_OPERATIONS
            && bytes + moreBytes <= Limits.COMMIT_BYTES;
    if (units > 0 && !fits) {
      return false;
    }
    units++;
    operations += more;
    bytes += moreBytes;
    receivers.addAll(unit.outgoing().keySet());
    return true;
  }

  /** Returns whether the load is worth a commit of its own beside others under way. */
  boolean isWellFilled() {
    return units >= mostUnits
        || operations >= Limits.COMMIT_OPERATIONS / 4
        || bytes >= Limits.COMMIT_BYTES / 2;
  }

  int operations() {
    return operations;
  }

  long bytes() {
    return bytes;
  }

  private int operations(CommitUnit unit) {
    int more = unit.unparked().size() + unit.blobOperations();
    for (ActorPath receiver : unit.outgoing().keySet()) {
      more += receivers.contains(receiver) ? 0 : 2;
    }
    if (unit.write().isPresent()) {
      CommitUnit.Write write = unit.write().get();
      more += 4 + write.consumed().size() + write.journal().trim().size() + write.parked().size();
      more += write.outbox().operations();
    }
    return more;
  }

  private static long bytes(CommitUnit unit) {
    long bytes = unit.write().isPresent() ? RECORD_BYTES : 0;
    for (List<Envelope> envelopes : unit.outgoing().values()) {
      for (Envelope envelope : envelopes) {
        bytes += envelope.size();
      }
    }
    if (unit.write().isPresent()) {
      bytes += unit.write().get().outbox().bytes();
    }
    byte[] entry = unit.write().map(write -> write.journal().entry()).orElse(null);
    return entry == null ? bytes : bytes + entry.length;
  }
}
