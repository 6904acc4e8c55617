package io.callboard.workflows.internal.actor;

import io.callboard.workflows.internal.protocol.StepRunKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Life of an instance's actor on this node, with the runs that it has open in the memory of the
 * node. Thread-safe; from its end on it opens nothing any more, as late as that is asked of it.
 */
public final class InstanceLife {
  private final String instance;
  private final Set<StepRunKey> runs = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

  /** Creates a life that has begun. */
  InstanceLife(String instance) {
    this.instance = instance;
  }

  /** Returns the id of the instance. */
  public String instance() {
    return instance;
  }

  /** Returns whether the life has ended. */
  boolean isOver() {
    return over;
  }

  /** Records that the life opens a run. */
  void opens(StepRunKey run) {
    runs.add(run);
  }

  /** Records that the life has closed a run. */
  void closes(StepRunKey run) {
    runs.remove(run);
  }

  /** Ends the life. */
  void end() {
    over = true;
  }

  /** Returns the open runs of the life. */
  Set<StepRunKey> runs() {
    return runs;
  }

  @Override
  public String toString() {
    return instance + (over ? " (over)" : "");
  }
}
