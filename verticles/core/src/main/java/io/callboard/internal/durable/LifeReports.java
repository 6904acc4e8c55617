package io.callboard.internal.durable;

import io.callboard.ActorOptions;
import io.callboard.internal.context.TransientFailure;
import io.callboard.internal.lifecycle.ActorRunner;
import io.callboard.internal.ownership.PartitionOwnership;
import io.callboard.internal.supervisor.Supervisor;
import io.callboard.store.StoreException;

/**
 * Reports of a durable actor's lives to its supervisor, the store's denials and the cell's groups.
 * Every method is called on the durable context; the supervisor takes reports on any thread.
 */
final class LifeReports {
  private final DurableEnvironment environment;
  private final ActorRunner runner;
  private final ActorOptions options;
  private final Runnable retryHistory;

  /**
   * @param retryHistory writes a failure history that could not be written before
   */
  LifeReports(
      DurableEnvironment environment,
      ActorRunner runner,
      ActorOptions options,
      Runnable retryHistory) {
    this.environment = environment;
    this.runner = runner;
    this.options = options;
    this.retryHistory = retryHistory;
  }

  /** Reports that a life has begun. */
  void began() {
    environment.denials().allowed(runner.label());
    runner.supervisor().started(runner);
    environment.actors().groups().joined(runner.path(), true, options);
    retryHistory.run();
  }

  /** Reports that the record says an operator has stopped the actor. */
  void foundStopped() {
    runner.supervisor().suspend(runner);
  }

  /**
   * Reports that a life or a start has failed: the supervisor decides whether another follows.
   *
   * @param attempt whether the failure counts as an attempt of a message, and so as nothing else
   */
  void failed(Throwable cause, boolean attempt) {
    Supervisor supervisor = runner.supervisor();
    if (StoreException.isDenial(cause)) {
      environment.denials().denied(runner.label(), cause);
      supervisor.failedForGood(runner, cause);
    } else if (cause instanceof TransientFailure transientFailure) {
      if (transientFailure.why().kind() == StoreException.Kind.CONFLICT) {
        PartitionOwnership ownership = environment.ownership().get();
        // its lease may be another node's by now
        ownership.changed(ownership.partition(runner.path()));
      }
      supervisor.interrupted(runner, transientFailure.why());
    } else if (attempt) {
      supervisor.failedAttempt(runner, cause);
    } else {
      supervisor.failed(runner, cause);
    }
  }
}
