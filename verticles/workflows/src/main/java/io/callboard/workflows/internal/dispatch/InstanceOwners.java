package io.callboard.workflows.internal.dispatch;

import io.callboard.codecs.ActorPath;
import io.callboard.time.Machine;
import io.callboard.workflows.internal.instance.InstanceIds;
import io.callboard.workflows.internal.protocol.StepRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * Epochs in which instances have their present owners, as they were stored, and as later requests
 * have named them. An owner before may live on without knowing that it is none, and repeat to each
 * new desk what it had open, also of instances that have ended since.
 */
@Machine
final class InstanceOwners {
  private Map<Integer, Long> epochs = new HashMap<>();
  private int partitions;

  /** Sets the stored epochs, by number of the partition. */
  void read(int itsPartitions, Map<Integer, Long> stored) {
    partitions = itsPartitions;
    epochs = new HashMap<>(stored);
  }

  /** Records the epoch of the owner that requests a run. */
  void hears(StepRequest request) {
    Long its = request.owner();
    if (its != null && partitions > 0) {
      epochs.merge(partition(request.instance()), its, Math::max);
    }
  }

  /** Returns the epoch of the present owner of an instance; 0 if it is not known. */
  long epoch(String instance) {
    return partitions == 0 ? 0 : epochs.getOrDefault(partition(instance), 0L);
  }

  /** Returns whether a request names an epoch before that of the present owner. */
  boolean isOutdated(StepRequest request) {
    Long its = request.owner();
    return its != null && its < epoch(request.instance());
  }

  private int partition(String instance) {
    return ActorPath.of(InstanceIds.path(instance)).partition(partitions).number();
  }
}
