package io.callboard.store.memory;

import io.callboard.store.Commit;

/** Injector of faults into the commits of a {@link MemoryStore}; for tests. */
@FunctionalInterface
public interface MemoryFaults {
  /** Nothing ever goes wrong. */
  MemoryFaults NONE = commit -> Fault.NONE;

  /** What goes wrong with one commit. */
  enum Fault {
    /** Nothing. */
    NONE,
    /** It is applied or refused as ever, but its outcome is unknown. */
    LOSE_REPLY,
    /** It never arrives; its outcome is unknown. */
    LOSE_REQUEST
  }

  /** Called once for each commit that is sent, in their order. */
  Fault next(Commit commit);
}
