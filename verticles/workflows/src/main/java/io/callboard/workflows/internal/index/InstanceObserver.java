package io.callboard.workflows.internal.index;

import io.callboard.workflows.model.InstanceRow;

/**
 * Observer of the instances that run on this node. Called on their threads, in the order of the
 * changes of each: after each commit, and at the start of each actor with what it recovered.
 */
public interface InstanceObserver {
  /** Reports an instance as it is now. */
  void is(InstanceRow instance);

  /**
   * Reports that an instance has been removed.
   *
   * @param change number of its last change
   */
  void gone(String id, long change);

  /**
   * Reports that an instance has been removed.
   *
   * @param change number of its last change
   * @param byUser whether a user has deleted it; else the retention let it go
   */
  default void gone(String id, long change, boolean byUser) {
    gone(id, change);
  }
}
