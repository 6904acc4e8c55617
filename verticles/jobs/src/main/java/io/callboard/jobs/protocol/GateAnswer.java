package io.callboard.jobs.protocol;

import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobType;
import java.util.List;

/** Answers of the gate. */
public sealed interface GateAnswer {
  /** A type as it is now. */
  record Type(JobType type) implements GateAnswer {}

  /** Its types, and the hosts that have reported to it. */
  record Overview(List<JobType> types, List<JobHost> hosts, int queued, int running)
      implements GateAnswer {}

  /** What keeps a job from running; empty if the gate does not know it. */
  record Why(List<Blocked> blockedBy) implements GateAnswer {}

  /** It could not do that. */
  record Refused(JobException.Code code, String message) implements GateAnswer {}
}
