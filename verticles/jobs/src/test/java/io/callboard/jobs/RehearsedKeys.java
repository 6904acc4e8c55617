package io.callboard.jobs;

import io.callboard.jobs.internal.actor.JobKey;
import io.callboard.jobs.internal.process.PlayedMachine;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.JobSpec;
import io.callboard.testkit.internal.world.DurableLife;
import io.callboard.testkit.internal.world.WorldTime;
import java.util.Objects;

/**
 * Clients that submit jobs under unique keys, step by step as {@link Submissions} does: each claims
 * the key for its job, looks who holds it, and submits, claims it instead of a job that has ended,
 * or leaves it at the other's job. One that claims it may die before it submits.
 */
final class RehearsedKeys {
  private static final int MOST_STEPS = 20;

  private final JobsWorld world;

  RehearsedKeys(JobsWorld world) {
    this.world = world;
  }

  /** Begins the submission of a job with a unique key. */
  void submit(String job, JobSpec spec, PlayedMachine.Plan plan) {
    claim(job, null, spec, plan, 0);
  }

  private void claim(String job, String instead, JobSpec spec, PlayedMachine.Plan plan, int steps) {
    String path = JobKey.path(JobKey.UNIQUE, Objects.requireNonNull(spec.uniqueKey()));
    world.cell().tell(path, new JobKey.Claim(job, instead, null, null, JobsWorld.EPOCH));
    look(path, job, spec, plan, steps);
  }

  private void look(String path, String job, JobSpec spec, PlayedMachine.Plan plan, int steps) {
    if (steps >= MOST_STEPS) {
      return; // it gives up, or has died
    }
    long pause = world.random().nextLong(2 * WorldTime.SECOND);
    world.cell().time().after(pause, () -> looks(path, job, spec, plan, steps + 1));
  }

  private void looks(String path, String job, JobSpec spec, PlayedMachine.Plan plan, int steps) {
    DurableLife key = world.cell().actor(path);
    JobKey.Holder holder = (JobKey.Holder) key.state();
    if (!key.isIdle() || holder == null || holder.job() == null) {
      look(path, job, spec, plan, steps);
    } else if (holder.job().equals(job)) {
      world.submit(job, spec, plan);
    } else {
      JobData other = world.job(holder.job());
      if (other != null && other.state().terminal()) {
        world.history().does(RehearsedDeed.KEY_TAKEN);
        claim(job, holder.job(), spec, plan, steps);
      } else if (other != null) {
        world.history().does(RehearsedDeed.KEY_FOUND);
      }
    }
  }
}
