package io.callboard.jobs.internal.protocol;

import io.callboard.jobs.model.JobType;
import io.callboard.jobs.model.TypePause;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events of the gate. */
public sealed interface GateEvent {
  /**
   * Beginning of a run's wait.
   *
   * @param job id of the job
   * @param runId number of the run within the job
   * @param type name of the type
   * @param priority 0 to 9, higher first
   * @param at time of the request
   * @param notBefore earliest start; null for now
   * @param expiresAt time at which it has waited too long; null for never
   * @param labels labels of the job; null for none
   * @param requires labels that its host must have; null for none
   */
  record Enqueued(
      String job,
      int runId,
      String type,
      int priority,
      Instant at,
      @Nullable Instant notBefore,
      @Nullable Instant expiresAt,
      @Nullable Map<String, String> labels,
      @Nullable Map<String, String> requires)
      implements GateEvent {}

  /**
   * A run is given to the backlog of its type instead of the window.
   *
   * @param type name of the type
   * @param priority its priority
   */
  record Kept(String type, int priority) implements GateEvent {}

  /**
   * Runs are pulled from a backlog.
   *
   * @param type name of the type
   */
  record Pulled(String type) implements GateEvent {}

  /**
   * Return of pulled runs into the window.
   *
   * @param type name of the type
   * @param runs the runs by job
   * @param stock what its backlog holds now
   * @param left lanes that the pull named, with the number of due runs that its backlog still holds
   *     of each; null for none, and from an older node
   */
  record Returned(
      String type,
      Map<String, WaitingRun> runs,
      BacklogStock stock,
      @Nullable List<BacklogLane> left)
      implements GateEvent {
    /** Creates a return after which the backlog has no due runs in the named lanes. */
    public Returned(String type, Map<String, WaitingRun> runs, BacklogStock stock) {
      this(type, runs, stock, null);
    }
  }

  /**
   * Report of a backlog.
   *
   * @param type name of the type
   * @param stock what it holds now
   */
  record Stocked(String type, BacklogStock stock) implements GateEvent {}

  /**
   * Set or removed limit of a label.
   *
   * @param label {@code key=value}, or {@code key} for any value
   * @param running maximum number of simultaneous runs; null if it is removed
   */
  record LimitPut(String label, @Nullable Integer running) implements GateEvent {}

  /**
   * End of a run's wait without a grant.
   *
   * @param job id of the job
   */
  record Withdrawn(String job) implements GateEvent {}

  /**
   * Grant of a run: its handle.
   *
   * @param job id of the job
   * @param runId number of the run within the job
   * @param type name of the type
   * @param host name of the host
   * @param boot boot id of the host
   * @param at time of the grant
   * @param term term of the host, as it reported last; null from an older node
   */
  record Granted(
      String job,
      int runId,
      String type,
      String host,
      String boot,
      Instant at,
      @Nullable Integer term)
      implements GateEvent {}

  /**
   * End of a handle; its slot is free.
   *
   * @param job id of the job
   * @param runId number of the run within the job
   */
  record Released(String job, int runId) implements GateEvent {}

  /**
   * Beginning or end of the silence of a run's host, as its job was notified.
   *
   * @param job id of the job
   * @param runId number of the run within the job
   * @param silent whether the host is silent
   */
  record Silenced(String job, int runId, boolean silent) implements GateEvent {}

  /**
   * Creation or change of a type.
   *
   * @param type the type
   * @param pause who paused it with this change; null if it did not, and from an older node
   */
  record TypePut(JobType type, @Nullable TypePause pause) implements GateEvent {
    /** Creates a change after which nobody is named for a pause of the type. */
    public TypePut(JobType type) {
      this(type, null);
    }
  }
}
