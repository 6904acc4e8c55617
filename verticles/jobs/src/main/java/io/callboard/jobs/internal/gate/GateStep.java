package io.callboard.jobs.internal.gate;

import io.callboard.jobs.internal.protocol.BacklogCommand;
import io.callboard.jobs.internal.protocol.BacklogLane;
import io.callboard.jobs.internal.protocol.GateEvent;
import io.callboard.jobs.internal.protocol.JobCommand;
import java.util.List;

/** Decision of the gate: an event that becomes durable, or a message to send. */
public sealed interface GateStep {
  /**
   * Grant of a run, which is sent to its job.
   *
   * @param event the durable event
   * @param epoch fencing token of the run
   */
  record Grant(GateEvent.Granted event, long epoch) implements GateStep {}

  /**
   * End of a handle whose run never started or has ended; its slot is free, and its job is
   * notified.
   *
   * @param event the durable event
   * @param why reason, for people
   * @param withNode whether its node died with it
   */
  record Void(GateEvent.Released event, String why, boolean withNode) implements GateStep {}

  /**
   * Expiry of a run that waited too long; its job is notified.
   *
   * @param event the durable event
   * @param runId number of the run within its job
   * @param unreadable whether it waited for a host that can read its arguments
   */
  record Expire(GateEvent.Withdrawn event, int runId, boolean unreadable) implements GateStep {
    /** Creates the expiry of a run by its queue timeout. */
    public Expire(GateEvent.Withdrawn event, int runId) {
      this(event, runId, false);
    }
  }

  /**
   * Notice to a job that the host of its run is silent, or is heard again; its slot stays taken.
   *
   * @param event the durable event
   * @param why reason, for people
   */
  record Silence(GateEvent.Silenced event, String why) implements GateStep {}

  /**
   * Request to the backlog of a type to return runs.
   *
   * @param type name of the type
   * @param priority priority of the runs
   * @param most maximum number of runs
   * @param lanes lanes of which no more than {@code runs} each are wanted, and those of other
   *     priorities that are only counted
   * @param only whether runs of no other lane are wanted
   */
  record Pull(String type, int priority, int most, List<BacklogLane> lanes, boolean only)
      implements GateStep {
    /** Returns the message to the backlog. */
    public BacklogCommand.Pull command() {
      return new BacklogCommand.Pull(
          priority, most, lanes.isEmpty() ? null : lanes, only ? true : null);
    }
  }

  /**
   * Request to a host to refuse runs that the gate misses there.
   *
   * @param host name of the host
   * @param boot boot id of the host
   * @param runs the runs, each {@code job/runId}
   */
  record Ask(String host, String boot, List<String> runs) implements GateStep {}

  /**
   * Question to a host how runs are that make no progress.
   *
   * @param host name of the host
   * @param boot boot id of the host
   * @param runs the runs, each {@code job/runId}
   */
  record Inspect(String host, String boot, List<String> runs) implements GateStep {}

  /**
   * Notice to a job with the answer of its host.
   *
   * @param job id of the job
   * @param what the answer
   */
  record Notice(String job, JobCommand.Inspected what) implements GateStep {}

  /**
   * Request to a host to report again, since its report names a run without a handle, or since it
   * has not reported for a while.
   *
   * @param host name of the host
   */
  record Recheck(String host) implements GateStep {}

  /**
   * Request to a host to end a run that has no handle.
   *
   * @param host name of the host
   * @param boot boot id of the host
   * @param run the run, {@code job/runId}
   */
  record Kill(String host, String boot, String run) implements GateStep {}
}
