package io.callboard.workflows;

import io.callboard.ActorRef;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.Submission;
import io.callboard.workflows.internal.actor.StepScheduler;
import io.vertx.core.Future;
import java.util.Optional;

/** Scheduler of a world without jobs: no key has one. */
final class NoJobs implements StepScheduler {
  @Override
  public Future<Submission> submitStep(JobSpec spec, String key, ActorRef<JobEnded> listener) {
    throw new AssertionError("no step of this world is a process: " + key);
  }

  @Override
  public Future<Optional<Job>> accepted(String key) {
    return Future.succeededFuture(Optional.empty());
  }

  @Override
  public Future<Optional<Job>> holder(String key) {
    return Future.succeededFuture(Optional.empty());
  }

  @Override
  public Future<Optional<JobEnded>> ended(String id) {
    throw new AssertionError("there is no job " + id);
  }

  @Override
  public Future<Job> cancel(String id) {
    throw new AssertionError("there is no job " + id);
  }
}
