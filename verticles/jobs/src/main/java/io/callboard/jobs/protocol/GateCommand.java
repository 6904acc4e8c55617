package io.callboard.jobs.protocol;

import io.callboard.jobs.model.JobType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands of the gate. */
public sealed interface GateCommand {
  /** A job is ready for its next run, from {@code notBefore} on. */
  record Enqueue(
      String job,
      int runId,
      String type,
      int priority,
      Instant at,
      @Nullable Instant notBefore,
      @Nullable Instant expiresAt)
      implements GateCommand {}

  /** A job is not to run any more. */
  record Withdraw(String job) implements GateCommand {}

  /** A run has ended: its slot is free. */
  record Release(String job, int runId) implements GateCommand {}

  /**
   * What a host's monitor knows for certain: these runs, and no other, are on this host.
   *
   * @param runs each {@code job/runId}: those about to start included, and those whose jobs do not
   *     know their ends yet
   * @param asOf by the host's clock; for people, nothing is decided by it
   * @param term of the host: no run that was granted in an earlier one and is not listed starts any
   *     more. Null from an older node
   * @param number of this report among those of its boot; null from an older node
   * @param fault why the host can start nothing; null if it can
   */
  record Report(
      String host,
      String boot,
      int slots,
      List<String> runs,
      Instant asOf,
      @Nullable Integer term,
      @Nullable Long number,
      @Nullable String fault)
      implements GateCommand {}

  /**
   * The answer to {@link MonitorCommand.Disown}: these runs are not on that host, and never will
   * be.
   */
  record Disowned(String host, String boot, List<String> runs) implements GateCommand {}

  /**
   * The live nodes, each {@code name/boot}.
   *
   * @param draining names of those that are to be emptied; null from an older node
   */
  record Members(List<String> live, @Nullable List<String> draining) implements GateCommand {}

  /** Create or change a type; answered with {@link GateAnswer.Type}. */
  record PutType(JobType type) implements GateCommand {}

  /** Stop or go on granting runs of a type; answered with {@link GateAnswer.Type}. */
  record Pause(String type, boolean paused) implements GateCommand {}

  /** Answered with {@link GateAnswer.Overview}. */
  record Look() implements GateCommand {}

  /** Why does that job not run? Answered with {@link GateAnswer.Why}. */
  record AskWhy(String job) implements GateCommand {}

  /** To itself: time has passed. */
  record Tick() implements GateCommand {}
}
