package io.callboard.workflows;

import io.callboard.Callboard;
import io.callboard.codecs.ActorPath;
import io.callboard.store.StoredActor;
import io.callboard.workflows.graph.StepState;
import io.callboard.workflows.index.InstanceRecords;
import io.callboard.workflows.model.InstanceRow;
import io.callboard.workflows.protocol.InstanceAnswer;
import io.callboard.workflows.protocol.InstanceCommand;
import io.callboard.workflows.protocol.InstanceData;
import io.callboard.workflows.protocol.InstanceSpec;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.Map;
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
        .map(StoredInstances::row);
  }

  private static InstanceRow row(InstanceData data) {
    InstanceSpec spec = data.created();
    Map<StepState, Integer> counts = new EnumMap<>(StepState.class);
    data.steps().forEach((id, step) -> counts.merge(step.state(), 1, Integer::sum));
    return new InstanceRow(
        spec.id(),
        data.change(),
        spec.definition(),
        spec.version(),
        data.state(),
        spec.priority(),
        spec.labels(),
        spec.parent() == null ? null : spec.parent().instance(),
        spec.createdAt(),
        data.endedAt(),
        counts);
  }

  @Override
  public Future<?> wake(ActorPath instance) {
    return callboard
        .durableRef(instance.toString(), InstanceCommand.class)
        .ask(new InstanceCommand.Look(), InstanceAnswer.class, Workflows.ASK);
  }
}
