package io.callboard.jobs.internal.transition;

import io.callboard.codecs.CodecException;
import io.callboard.jobs.internal.protocol.JobData;
import io.callboard.jobs.model.JobRun;
import io.callboard.jobs.model.RunState;
import io.callboard.time.Machine;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides about the runs of a job by their table, for {@link JobMachine}. */
@Machine
final class RunMachine {
  private static final List<String> KNOWN =
      Arrays.stream(RunState.values()).map(RunState::name).toList();

  private RunMachine() {}

  /**
   * Checks that this node knows the state of the run that may be alive: only a newer node can
   * decide about a run in another state.
   *
   * @throws CodecException if it does not
   */
  static void check(JobData job) {
    JobRun last = job.lastRun();
    if (last != null) {
      Optional<RunState> unused = state(job, last);
    }
  }

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

  /**
   * Returns the row of the last run, which alone may be open; null if it is another one's, or if
   * that has ended in a state that only a newer node knows.
   */
  private static @Nullable RunTransition rule(
      JobData job, JobTrigger trigger, int runId, RunFacts facts) {
    JobRun last = job.lastRun();
    return last == null || last.runId() != runId
        ? null
        : state(job, last).map(state -> RunTransition.of(state, trigger, facts)).orElse(null);
  }

  /** Returns the state of the last run; empty if it is not known here, of a run that is over. */
  private static Optional<RunState> state(JobData job, JobRun last) {
    Optional<RunState> known =
        Arrays.stream(RunState.values())
            .filter(state -> state.name().equals(last.state()))
            .findFirst();
    if (known.isEmpty() && last.endedAt() == null) {
      throw CodecException.newerName(
          "the state of run %d of job %s".formatted(last.runId(), job.id()),
          last.state(),
          KNOWN,
          "nothing is changed, and the mail of the job waits: upgrade this node, or stop it if a"
              + " newer one can take the job");
    }
    return known;
  }
}
