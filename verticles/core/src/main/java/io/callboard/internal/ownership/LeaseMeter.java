package io.callboard.internal.ownership;

import io.callboard.cell.LeaseCounts;
import io.callboard.codecs.Partition;
import io.callboard.placement.VacancyReason;
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
  private final Map<VacancyReason, Long> taken = new EnumMap<>(VacancyReason.class);
  private long left;

  public LeaseMeter() {
    for (VacancyReason vacancyReason : VacancyReason.values()) {
      taken.put(vacancyReason, 0L);
    }
  }

  public synchronized void gained(Partition partition, VacancyReason vacancyReason) {
    owned.add(partition);
    taken.merge(vacancyReason, 1L, Long::sum);
  }

  public synchronized void lost(Partition partition) {
    if (owned.remove(partition)) {
      left++;
    }
  }

  public synchronized LeaseCounts snapshot() {
    int roles = (int) owned.stream().filter(Partition::isRole).count();
    Map<VacancyReason, Long> byLoss = Collections.unmodifiableMap(new EnumMap<>(taken));
    return new LeaseCounts(owned.size() - roles, roles, byLoss, left);
  }
}
