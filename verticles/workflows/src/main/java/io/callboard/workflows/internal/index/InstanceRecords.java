package io.callboard.workflows.internal.index;

import io.callboard.codecs.ActorPath;
import io.callboard.store.StoredActor;
import io.callboard.workflows.model.InstanceRow;
import io.vertx.core.Future;
import java.util.Optional;

/** Access to the stored instances of a partition that a node has gained. */
public interface InstanceRecords {
  /**
   * Returns the row of an instance as of its newest snapshot; empty if there is none. It may be
   * older than the instance: one that has not ended runs in memory on its node, and reports itself.
   *
   * @throws io.callboard.codecs.CodecException if it cannot be read
   */
  Optional<InstanceRow> row(StoredActor actor);

  /** Makes an instance that has no snapshot recover, so that it reports itself. */
  Future<?> wake(ActorPath instance);
}
