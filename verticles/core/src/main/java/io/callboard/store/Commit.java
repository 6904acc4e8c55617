package io.callboard.store;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A group commit: units that become durable atomically.
 *
 * @param incarnation of the session it was built in
 * @param number one higher than the last applied commit of this node
 * @param leases of every partition whose actors it writes
 * @param units in order
 */
public record Commit(long incarnation, long number, Set<Lease> leases, List<CommitUnit> units) {
  /** Creates a commit; leases and units are copied. */
  public Commit {
    leases = Collections.unmodifiableSet(new LinkedHashSet<>(leases));
    units = List.copyOf(units);
  }
}
