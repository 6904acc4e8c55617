package io.callboard.store;

import io.callboard.codecs.Partition;

/**
 * Who owns a partition.
 *
 * @param epoch one higher at each change of owner
 * @param owner a node's name; empty if it was given back
 * @param ownerBoot the {@link NodeIdentity#bootId()} of the owner
 * @param version the stored version, which commits are fenced by
 */
public record Lease(Partition partition, long epoch, String owner, String ownerBoot, int version) {
  /** Whether nobody owns the partition. */
  public boolean isFree() {
    return owner.isEmpty();
  }
}
