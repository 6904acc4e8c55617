package io.callboard.jobs.internal.protocol;

import io.callboard.jobs.model.Blocked;
import io.callboard.jobs.model.GateLoad;
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobHost;
import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.LabelLimit;
import io.callboard.jobs.model.TypePause;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers of the gate. */
public sealed interface GateAnswer {
  /**
   * Current state of a type.
   *
   * @param type the type
   * @param pause who paused it; null if it is not paused, or nobody knows, and from an older node
   */
  record Type(JobType type, @Nullable TypePause pause) implements GateAnswer {}

  /**
   * Types of the gate, and the hosts that have reported to it.
   *
   * @param types all types
   * @param hosts the hosts
   * @param queued number of waiting runs
   * @param running number of granted runs
   * @param loads loads of the types of which there are runs; null if they were not asked for, and
   *     from an older node
   * @param pauses who paused the types that are, by name; null for none, and from an older node
   */
  record Overview(
      List<JobType> types,
      List<JobHost> hosts,
      int queued,
      int running,
      @Nullable List<GateLoad> loads,
      @Nullable Map<String, TypePause> pauses)
      implements GateAnswer {}

  /**
   * Reasons that keep a job from running.
   *
   * @param blockedBy the reasons; empty if the gate does not know the job
   */
  record Why(List<Blocked> blockedBy) implements GateAnswer {}

  /**
   * Limits of labels.
   *
   * @param limits the limits, by label
   */
  record Limits(List<LabelLimit> limits) implements GateAnswer {}

  /**
   * Refusal of a command.
   *
   * @param code kind of refusal
   * @param message reason, for people
   */
  record Refused(JobException.Code code, String message) implements GateAnswer {}
}
