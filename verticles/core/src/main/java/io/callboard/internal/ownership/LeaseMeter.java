package io.callboard.internal.ownership;

import io.callboard.cell.LeaseCounts;
import io.callboard.codecs.Partition;
import io.callboard.placement.Loss;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts of the leases that this node has gained and lost. Written on the durable context, read
 * from any thread.
 */
public final class LeaseMeter {
  private final Set<Partition> owned = new HashSet<>();
  private final Map<Loss, Long> taken = new EnumMap<>(Loss.class);
  private long left;

  public LeaseMeter() {
    for (Loss loss : Loss.values()) {
      taken.put(loss, 0L);
    }
  }

  public synchronized void gained(Partition partition, Loss loss) {
    owned.add(partition);
    taken.merge(loss, 1L, Long::sum);
  }

  public synchronized void lost(Partition partition) {
    if (owned.remove(partition)) {
      left++;
    }
  }

  public synchronized LeaseCounts snapshot() {
    int roles = (int) owned.stream().filter(Partition::isRole).count();
    Map<Loss, Long> byLoss = Collections.unmodifiableMap(new EnumMap<>(taken));
    return new LeaseCounts(owned.size() - roles, roles, byLoss, left);
  }
}
