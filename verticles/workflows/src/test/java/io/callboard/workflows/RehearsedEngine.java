package io.callboard.workflows;

import io.callboard.testkit.internal.world.WorldNode;
import io.callboard.workflows.internal.actor.DefinitionCache;
import io.callboard.workflows.internal.actor.InstanceActor;
import io.callboard.workflows.internal.actor.InstanceEnvironment;
import io.callboard.workflows.internal.actor.InstanceLives;
import io.callboard.workflows.internal.actor.IntakeActor;
import io.callboard.workflows.internal.actor.KeyClaims;
import io.callboard.workflows.internal.actor.StartClient;
import io.callboard.workflows.internal.actor.StepJobs;
import io.callboard.workflows.internal.actor.StepRequests;
import io.callboard.workflows.internal.index.InstanceObserver;
import io.callboard.workflows.internal.instance.InstanceMachine;
import io.callboard.workflows.internal.intake.NodeTally;
import io.callboard.workflows.internal.intake.StartGate;
import io.callboard.workflows.internal.output.StepOutputs;
import io.callboard.workflows.internal.starts.MessageBuilders;
import io.callboard.workflows.internal.worker.HttpStepOptions;
import io.callboard.workflows.internal.worker.WorkerRegistry;
import io.callboard.workflows.model.InstanceRow;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Part of one boot of a node of a world in the workflow engine; all but its index. */
final class RehearsedEngine {
  private static final Duration ASK = Duration.ofSeconds(10);

  /** Observer of instances that looks at none. */
  private static final InstanceObserver NOBODY =
      new InstanceObserver() {
        @Override
        public void is(InstanceRow instance) {}

        @Override
        public void gone(String id, long change) {}
      };

  private final WorldNode node;
  private final InstanceReports reports;
  private final Workers workers;
  private final StartClient starts;
  private final InstanceEnvironment env;
  private final MessageBuilders builders;
  private boolean stopping;

  RehearsedEngine(WorldNode node, int slots, MessageBuilders builders) {
    this.node = node;
    this.builders = builders;
    this.reports = new InstanceReports(node);
    this.workers =
        new Workers(
            node, reports, slots, HttpStepOptions.DEFAULT, () -> Future.succeededFuture(List.of()));
    InstanceLives lives = new InstanceLives(node);
    StepRequests requests = new StepRequests(node, lives, workers.dispatch());
    reports.requests(requests);
    this.starts = new StartClient(node);
    this.env =
        new InstanceEnvironment(
            new DefinitionCache(node, ASK, Map.of()),
            lives,
            requests,
            new StepJobs(node, lives, new NoJobs(), reports),
            NOBODY,
            starts.gate(),
            new NodeTally(node.time().clock().instant()),
            new StepOutputs(node::blobs), // no output of these worlds is large
            new KeyClaims(node, id -> Future.succeededFuture(Optional.empty()), ASK)); // no keys
  }

  /** Takes part, as {@link Workflows} does. */
  void open() {
    workers.listen();
    workers
        .run()
        .onFailure(
            cause -> {
              if (!stopping) {
                throw new AssertionError("a worker does not start", cause);
              }
            });
    starts.start();
  }

  Workers workers() {
    return workers;
  }

  StartGate gate() {
    return starts.gate();
  }

  boolean isStopping() {
    return stopping;
  }

  /** Ends its part in order. */
  Future<Void> stop() {
    stopping = true;
    starts.close();
    env.requests().close();
    return workers.close();
  }

  // Actors that this node may be given.

  WorkerRegistry workerMaster() {
    return new WorkerRegistry(reports);
  }

  InstanceActor instance() {
    return new InstanceActor(env, new InstanceMachine(node.random()));
  }

  IntakeActor message() {
    return new IntakeActor(builders, starts.gate(), "builders");
  }
}
