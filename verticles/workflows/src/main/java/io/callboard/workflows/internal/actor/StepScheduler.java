package io.callboard.workflows.internal.actor;

import io.callboard.ActorRef;
import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobEnded;
import io.callboard.jobs.model.JobSpec;
import io.callboard.jobs.model.Submission;
import io.vertx.core.Future;
import java.util.Optional;

/** Job scheduler as steps use it: the methods of {@link Jobs} of these names. */
public interface StepScheduler {
  /** See {@link Jobs#submitStep}. */
  Future<Submission> submitStep(JobSpec spec, String key, ActorRef<JobEnded> listener);

  /** See {@link Jobs#accepted}. */
  Future<Optional<Job>> accepted(String key);

  /** See {@link Jobs#holder}. */
  Future<Optional<Job>> holder(String key);

  /** See {@link Jobs#ended}. */
  Future<Optional<JobEnded>> ended(String id);

  /** See {@link Jobs#cancel}. */
  Future<Job> cancel(String id);

  /** Returns the scheduler of this node. */
  static StepScheduler of(Jobs jobs) {
    return new StepScheduler() {
      @Override
      public Future<Submission> submitStep(JobSpec spec, String key, ActorRef<JobEnded> listener) {
        return jobs.submitStep(spec, key, listener);
      }

      @Override
      public Future<Optional<Job>> accepted(String key) {
        return jobs.accepted(key);
      }

      @Override
      public Future<Optional<Job>> holder(String key) {
        return jobs.holder(key);
      }

      @Override
      public Future<Optional<JobEnded>> ended(String id) {
        return jobs.ended(id);
      }

      @Override
      public Future<Job> cancel(String id) {
        return jobs.cancel(id);
      }
    };
  }
}
