package io.callboard.workflows;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.store.StoredActor;
import io.callboard.workflows.internal.index.InstanceRecords;
import io.callboard.workflows.internal.instance.InstanceViews;
import io.callboard.workflows.internal.protocol.InstanceAnswer;
import io.callboard.workflows.internal.protocol.InstanceCommand;
import io.callboard.workflows.internal.protocol.InstanceData;
import io.callboard.workflows.model.InstanceRow;
import io.vertx.core.Future;
import java.util.Optional;

/** Stored instances, for the index of the partitions that a node has gained. */
final class StoredInstances implements InstanceRecords {
  private final Callboard callboard;

  StoredInstances(Callboard callboard) {
    this.callboard = callboard;
  }

  @Override
  public Optional<InstanceRow> row(StoredActor actor) {
    return actor
        .record()
        .state(InstanceData.class)
        .filter(data -> data.spec() != null)
        .map(InstanceViews::row);
  }

  @Override
  public Future<?> wake(ActorPath instance) {
    return callboard
        .durableRef(instance.toString(), InstanceCommand.class)
        .ask(new InstanceCommand.Look(), InstanceAnswer.class, Workflows.ASK);
  }
}
