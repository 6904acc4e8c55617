package io.callboard.store;

import io.callboard.store.CommitUnit.Write;

/**
 * An actor's record with the version to commit against.
 *
 * @param version of the store, chained by commits
 */
public record StoredRecord(ActorRecord record, int version) {
  /**
   * The version at which a store begins again with 0. ZooKeeper's versions wrap around at 2³¹, and
   * a comparison with -1 then matches anything.
   */
  public static final int LAST_VERSION = 1 << 30;

  /** Returns the version of a record after a commit that expected {@code version}. */
  public static int following(int version) {
    return version == Write.NEW || version >= LAST_VERSION ? 0 : version + 1;
  }
}
