package io.callboard.jobs;

import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.protocol.FailedKill;
import io.callboard.jobs.protocol.JobData;
import io.callboard.jobs.table.JobMachine;
import java.util.ArrayList;
import java.util.List;

/** Reason why a job stays in its state that only the job knows: a run that could not be killed. */
final class FailedKills {
  private FailedKills() {}

  /** Returns the reasons with the failed kill of the open run first, if there is one. */
  static List<Blocked> added(JobData job, List<Blocked> reasons) {
    FailedKill kill = job.failedKill();
    JobRun run = job.lastRun();
    if (kill == null || run == null || !job.isOpen(kill.runId())) {
      return reasons;
    }
    String what =
        "%s left of run %d on host %s after SIGKILL, since %s"
            .formatted(JobMachine.pids(kill.pids()), kill.runId(), run.host(), kill.at());
    List<Blocked> all = new ArrayList<>(reasons);
    all.add(0, new Blocked("kill-failed", what, null, null, null, null));
    return all;
  }
}
