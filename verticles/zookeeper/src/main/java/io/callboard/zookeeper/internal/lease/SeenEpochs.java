package io.callboard.zookeeper.internal.lease;

import io.callboard.codecs.Partition;
import io.callboard.store.Commit;
import io.callboard.store.CommitOutcome.Reason;
import io.callboard.store.CommitOutcome.Refused;
import io.callboard.store.Lease;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Highest epoch that this node has seen of each partition. A commit under an older one is not sent:
 * the version in its lease might be another owner's by now, for the versions of a lease begin again
 * (see the package's notes), while an epoch never comes back.
 */
public final class SeenEpochs {
  private final Map<Partition, Long> highest = new ConcurrentHashMap<>();

  void saw(Lease lease) {
    highest.merge(lease.partition(), lease.epoch(), Math::max);
  }

  /**
   * Returns the refusal of a commit that need not be sent, with the first unit that writes in a
   * lost partition.
   */
  public Optional<Refused> refusal(Commit commit, int partitions) {
    for (Lease lease : commit.leases()) {
      if (highest.getOrDefault(lease.partition(), 0L) > lease.epoch()) {
        return Optional.of(
            new Refused(
                writer(commit, lease.partition(), partitions),
                Reason.FENCED,
                "partition %s has another owner".formatted(lease.partition())));
      }
    }
    return Optional.empty();
  }

  private static int writer(Commit commit, Partition partition, int partitions) {
    for (int i = 0; i < commit.units().size(); i++) {
      if (commit
          .units()
          .get(i)
          .write()
          .filter(write -> write.actor().partition(partitions).equals(partition))
          .isPresent()) {
        return i;
      }
    }
    return 0;
  }
}
