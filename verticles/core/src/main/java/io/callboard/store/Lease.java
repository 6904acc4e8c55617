package io.callboard.store;

import io.callboard.codecs.Partition;
import java.time.Instant;

/**
 * Lease of a partition: its owner and epoch.
 *
 * @param epoch one higher at each change of owner
 * @param owner a node's name; empty if it was released
 * @param ownerBoot the {@link NodeIdentity#bootId()} of the owner
 * @param version the stored version, which commits are fenced by
 * @param last the node that released it; empty if it has an owner
 * @param at the time of its claim or release, by the clock of that node; for people
 * @param to the node that it was handed over to, which claims it before the others; empty if none
 */
public record Lease(
    Partition partition,
    long epoch,
    String owner,
    String ownerBoot,
    int version,
    String last,
    Instant at,
    String to) {

  /** Creates a lease that was not handed over to a given node. */
  public Lease(
      Partition partition,
      long epoch,
      String owner,
      String ownerBoot,
      int version,
      String last,
      Instant at) {
    this(partition, epoch, owner, ownerBoot, version, last, at, "");
  }

  /** Creates a lease whose time is not recorded. */
  public Lease(Partition partition, long epoch, String owner, String ownerBoot, int version) {
    this(partition, epoch, owner, ownerBoot, version, "", Instant.EPOCH);
  }

  /** Returns whether the partition has no owner. */
  public boolean isFree() {
    return owner.isEmpty();
  }

  /**
   * Returns this lease as its owner releases it for {@code node} to claim before others; empty for
   * any node.
   */
  public Lease handedTo(String node) {
    return new Lease(partition, epoch, owner, ownerBoot, version, last, at, node);
  }

  /** Returns this lease as released by its owner at {@code when}. */
  public Lease released(Instant when) {
    int next = StoredRecord.following(version);
    return new Lease(partition, epoch, "", "", next, owner, when, to);
  }
}
