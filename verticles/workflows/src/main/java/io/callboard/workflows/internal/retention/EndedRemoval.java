package io.callboard.workflows.internal.retention;

import io.callboard.workflows.internal.index.EndedInstance;
import io.vertx.core.Future;

/** Removes instances that have ended. */
@FunctionalInterface
public interface EndedRemoval {
  /**
   * Removes an instance; completes with whether the instance is gone. One that has changed since,
   * because it was retried for example, stays.
   */
  Future<Boolean> remove(EndedInstance instance);
}
