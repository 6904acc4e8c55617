package io.callboard.placement;

import io.callboard.codecs.Partition;
import io.callboard.store.Lease;
import io.callboard.time.Machine;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Members that are believed to be gone. A member that takes another lease is alive, whatever was
 * reported about it.
 */
@Machine
final class SuspectedMembers {
  private final Map<String, Suspicion> byBoot = new HashMap<>();

  /**
   * @param epochs of the leases that the member had at the first look after it was suspected; null
   *     before that look
   */
  private record Suspicion(VacancyReason loss, @Nullable Map<Partition, Long> epochs) {
    boolean isRefutedBy(Lease lease) {
      return epochs != null && !Long.valueOf(lease.epoch()).equals(epochs.get(lease.partition()));
    }

    Suspicion after(String boot, Collection<Lease> leases) {
      if (epochs != null) {
        return this;
      }
      Map<Partition, Long> seen = new HashMap<>();
      leases.stream()
          .filter(lease -> lease.ownerBoot().equals(boot))
          .forEach(lease -> seen.put(lease.partition(), lease.epoch()));
      return new Suspicion(loss, seen);
    }
  }

  /** Suspects a member, or does so no more if {@code loss} is empty. */
  void suspect(String boot, Optional<VacancyReason> loss) {
    loss.ifPresentOrElse(
        how -> byBoot.put(boot, new Suspicion(how, null)), () -> byBoot.remove(boot));
  }

  /** Reports all members and leases, as just read. */
  void saw(Set<String> members, Collection<Lease> leases) {
    byBoot.keySet().retainAll(members);
    saw(leases);
    byBoot.replaceAll((boot, suspicion) -> suspicion.after(boot, leases));
  }

  /** Reports some leases, as just read. */
  void saw(Collection<Lease> some) {
    for (Lease lease : some) {
      Suspicion suspicion = byBoot.get(lease.ownerBoot());
      if (suspicion != null && suspicion.isRefutedBy(lease)) {
        byBoot.remove(lease.ownerBoot());
      }
    }
  }

  boolean isEmpty() {
    return byBoot.isEmpty();
  }

  /** Returns the boots of those that are suspected. */
  Set<String> boots() {
    return byBoot.keySet();
  }

  /**
   * Returns the cause for which that member is believed to be gone; empty if it is not suspected.
   */
  Optional<VacancyReason> loss(String boot) {
    return Optional.ofNullable(byBoot.get(boot)).map(Suspicion::loss);
  }
}
