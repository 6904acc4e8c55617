package io.callboard.grid;

import io.callboard.cell.LeaseListener;
import io.callboard.codecs.Partition;
import io.callboard.placement.Decisions.Claim;
import io.callboard.store.Lease;
import java.util.List;
import java.util.Optional;

/** Findings of the grid monitor while this node holds its role. Thread-safe. */
final class MonitorFindings implements LeaseListener {
  private static final Partition MONITOR = Partition.ofRole(GridMonitor.ROLE);

  private boolean looks;
  private List<Finding> items = List.of();

  @Override
  public synchronized void gained(Lease lease, Claim claim) {
    if (lease.partition().equals(MONITOR)) {
      looks = true;
      items = List.of();
    }
  }

  @Override
  public synchronized void lost(Partition partition) {
    looks &= !partition.equals(MONITOR);
  }

  synchronized void tell(List<Finding> found) {
    items = List.copyOf(found);
  }

  synchronized Optional<List<Finding>> items() {
    return looks ? Optional.of(items) : Optional.empty();
  }
}
