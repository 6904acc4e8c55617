package io.callboard.jobs.table;

import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.RunState;
import io.callboard.jobs.protocol.JobData;
import io.callboard.time.Machine;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decisions about the runs of a job by their table; {@link JobMachine} carries them. */
@Machine
final class RunMachine {
  private RunMachine() {}

  /** Returns the state in which a grant begins a run. */
  static RunState granted() {
    return Objects.requireNonNull(
        RunTransition.of(null, JobTrigger.GRANTED, RunFacts.NONE).to(), "a grant begins a run");
  }

  /** Returns whether a message about a run counts: it is the last one, and its table takes it. */
  static boolean takes(JobData job, JobTrigger trigger, int runId) {
    RunTransition rule = rule(job, trigger, runId, RunFacts.NONE);
    return rule != null && !rule.refuses();
  }

  /** Returns the next state of a run; null if it stays, or is not the last one. */
  static @Nullable RunState next(JobData job, JobTrigger trigger, int runId, RunFacts facts) {
    RunTransition rule = rule(job, trigger, runId, facts);
    return rule == null ? null : rule.to();
  }

  /** Returns the row of the last run, which alone may be open; null if it is another one's. */
  private static @Nullable RunTransition rule(
      JobData job, JobTrigger trigger, int runId, RunFacts facts) {
    JobRun last = job.lastRun();
    return last == null || last.runId() != runId
        ? null
        : RunTransition.of(RunState.valueOf(last.state()), trigger, facts);
  }
}
