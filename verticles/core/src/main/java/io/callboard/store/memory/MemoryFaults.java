package io.callboard.store.memory;

import io.callboard.store.Commit;

/** Injector of faults into the commits of a {@link MemoryStore}; for tests. */
@FunctionalInterface
public interface MemoryFaults {
  /** Injector that injects no faults. */
  MemoryFaults NONE = commit -> Fault.NONE;

  /** Fault of one commit. */
  enum Fault {
    /** Absence of any fault. */
    NONE,
    /** The reply is lost: the commit is applied or refused as usual, but its outcome is unknown. */
    LOSE_REPLY,
    /** The request is lost: the commit never arrives, and its outcome is unknown. */
    LOSE_REQUEST
  }

  /**
   * Returns the fault of the next commit; called once for each commit that is sent, in their order.
   */
  Fault next(Commit commit);
}
