package io.callboard.jobs.internal.protocol;

import io.callboard.jobs.model.JobType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands of the gate. */
public sealed interface GateCommand {
  /**
   * Enqueues a job for its next run.
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
   * @param unreadableAt boots of hosts that cannot read its arguments, each {@code host/boot}; null
   *     for none, and from an older node. An older gate may choose one of them again
   */
  record Enqueue(
      String job,
      int runId,
      String type,
      int priority,
      Instant at,
      @Nullable Instant notBefore,
      @Nullable Instant expiresAt,
      @Nullable Map<String, String> labels,
      @Nullable Map<String, String> requires,
      @Nullable List<String> unreadableAt)
      implements GateCommand {
    /** Creates a request of a run that no host has refused. */
    public Enqueue(
        String job,
        int runId,
        String type,
        int priority,
        Instant at,
        @Nullable Instant notBefore,
        @Nullable Instant expiresAt,
        @Nullable Map<String, String> labels,
        @Nullable Map<String, String> requires) {
      this(job, runId, type, priority, at, notBefore, expiresAt, labels, requires, null);
    }
  }

  /**
   * Withdraws a job that is not to run any more.
   *
   * @param job id of the job
   * @param type name of its type, in whose backlog it may be; null from an older node
   */
  record Withdraw(String job, @Nullable String type) implements GateCommand {}

  /**
   * Answer of a backlog that a job to be withdrawn is not there: it is at the gate, or nowhere.
   *
   * @param job id of the job
   * @param upTo number of the last run that was enqueued before the request: those after it stay;
   *     null from an older backlog
   */
  record NotKept(String job, @Nullable Long upTo) implements GateCommand {}

  /**
   * Answer of a backlog to {@link BacklogCommand.Pull}: runs that it has handed over.
   *
   * @param type name of the type
   * @param runs the runs by job
   * @param stock what it holds now
   * @param left lanes that the pull named, with the number of due runs that it still holds of each;
   *     null for none, and from an older backlog
   */
  record Returned(
      String type,
      Map<String, WaitingRun> runs,
      BacklogStock stock,
      @Nullable List<BacklogLane> left)
      implements GateCommand {
    /** Creates an answer of a backlog that has no due runs in the named lanes. */
    public Returned(String type, Map<String, WaitingRun> runs, BacklogStock stock) {
      this(type, runs, stock, null);
    }
  }

  /**
   * Report of a backlog that runs have become due, or have left it.
   *
   * @param type name of the type
   * @param stock what it holds now
   */
  record Stock(String type, BacklogStock stock) implements GateCommand {}

  /**
   * Releases the slot of a run that has ended.
   *
   * @param job id of the job
   * @param runId number of the run within the job
   */
  record Release(String job, int runId) implements GateCommand {}

  /**
   * Report of a host's monitor: exactly these runs are on this host.
   *
   * @param host name of the host
   * @param boot boot id of the host
   * @param slots slots for processes that it offers
   * @param runs runs, each {@code job/runId}: those about to start included, and those whose jobs
   *     do not know their ends yet
   * @param asOf time of the report by the host's clock, for people; nothing is decided by it
   * @param term term of the host: no run granted in an earlier one that is not listed starts any
   *     more; null from an older node
   * @param number of this report among those of its boot; null from an older node
   * @param fault why the host can start nothing; null if it can
   * @param ended those of the runs whose processes have ended, so that only their jobs do not know
   *     it; null from an older node, and for none
   * @param quiet runs without progress within their timeouts, with their last progress by the
   *     host's clock; null from an older node, and for none
   * @param faultSince when the fault began, by the host's clock, for people; null without one, and
   *     from an older node
   * @param handlers handlers that it offers, each with the runs that it takes at once; null for
   *     none, and from an older node
   */
  record Report(
      String host,
      String boot,
      int slots,
      List<String> runs,
      Instant asOf,
      @Nullable Integer term,
      @Nullable Long number,
      @Nullable String fault,
      @Nullable List<String> ended,
      @Nullable Map<String, Instant> quiet,
      @Nullable Instant faultSince,
      @Nullable Map<String, Integer> handlers)
      implements GateCommand {
    /** Creates a report of runs that have not ended. */
    public Report(
        String host,
        String boot,
        int slots,
        List<String> runs,
        Instant asOf,
        @Nullable Integer term,
        @Nullable Long number,
        @Nullable String fault) {
      this(host, boot, slots, runs, asOf, term, number, fault, null, null, null, null);
    }
  }

  /**
   * Answer to {@link MonitorCommand.Disown}: these runs are not on that host, and never will be.
   *
   * @param host name of the host
   * @param boot boot id of the host
   * @param runs runs, each {@code job/runId}
   */
  record Disowned(String host, String boot, List<String> runs) implements GateCommand {}

  /**
   * Answer to {@link MonitorCommand.Inspect}.
   *
   * @param host name of the host
   * @param boot boot id of the host
   * @param runs what it found of those that are there, each {@code job/runId}
   * @param gone runs that are not on that host, and never will be
   */
  record Inspected(String host, String boot, Map<String, RunLook> runs, List<String> gone)
      implements GateCommand {}

  /**
   * Current live nodes.
   *
   * @param live nodes, each {@code name/boot}
   * @param draining names of those that are to be emptied; null from an older node
   * @param labels labels of the hosts that have any, by name; null from an older node
   */
  record Members(
      List<String> live,
      @Nullable List<String> draining,
      @Nullable Map<String, Map<String, String>> labels)
      implements GateCommand {}

  /**
   * Creates or changes a type; answered with {@link GateAnswer.Type}.
   *
   * @param type the type
   * @param expected the type as it must be until then; null for any, and from an older node
   * @param by who asks for it; null if nobody is named, and from an older node
   * @param reason why, for people; null for none, and from an older node
   */
  record PutType(
      JobType type, @Nullable JobType expected, @Nullable String by, @Nullable String reason)
      implements GateCommand {
    /** Creates a change in nobody's name. */
    public PutType(JobType type, @Nullable JobType expected) {
      this(type, expected, null, null);
    }
  }

  /**
   * Stops or resumes granting runs of a type; answered with {@link GateAnswer.Type}.
   *
   * @param type name of the type
   * @param paused true to stop
   * @param by who asks for it; null if nobody is named, and from an older node
   * @param reason why, for people; null for none, and from an older node
   */
  record Pause(String type, boolean paused, @Nullable String by, @Nullable String reason)
      implements GateCommand {
    /** Creates a request in nobody's name. */
    public Pause(String type, boolean paused) {
      this(type, paused, null, null);
    }
  }

  /**
   * Sets or removes the limit of a label; answered with {@link GateAnswer.Limits}.
   *
   * @param label {@code key=value}, or {@code key} for any value
   * @param running maximum number of simultaneous runs; null to remove the limit
   */
  record PutLimit(String label, @Nullable Integer running) implements GateCommand {}

  /** Asks for the limits of labels; answered with {@link GateAnswer.Limits}. */
  record LookLimits() implements GateCommand {}

  /**
   * Asks for types and hosts; answered with {@link GateAnswer.Overview}.
   *
   * @param loads whether the loads of the types are wanted; null for no
   */
  record Look(@Nullable Boolean loads) implements GateCommand {}

  /**
   * Asks why a job does not run; answered with {@link GateAnswer.Why}.
   *
   * @param job id of the job
   * @param type name of its type; null from an older node
   */
  record AskWhy(String job, @Nullable String type) implements GateCommand {}

  /** Periodic message of the gate to itself. */
  record Tick() implements GateCommand {}
}
