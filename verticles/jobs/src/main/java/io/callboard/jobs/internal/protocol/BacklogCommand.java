package io.callboard.jobs.internal.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands of the backlog of a type; those that change it come from the gate or itself. */
public sealed interface BacklogCommand {
  /**
   * Keeps a run until the gate pulls it.
   *
   * @param job id of the job
   * @param waiting the run
   */
  record Keep(String job, WaitingRun waiting) implements BacklogCommand {}

  /**
   * Withdraws a job that is not to run any more; if it is not here, withdraws it from the gate, to
   * which it may be under way.
   *
   * @param job id of the job
   * @param upTo number of the last run that was enqueued before the request: those after it stay;
   *     null from an older gate
   */
  record Withdraw(String job, @Nullable Long upTo) implements BacklogCommand {}

  /**
   * Asks for due runs, the first ones first; answered with {@link GateCommand.Returned}.
   *
   * @param priority their priority
   * @param most maximum number of runs
   * @param lanes lanes of which no more than {@code runs} each are returned, and those of other
   *     priorities that are only counted; null for none, and from an older gate. An older backlog
   *     does not know them and returns the first runs, whatever counts them
   * @param only whether runs of no other lane are returned; null for no, and from an older gate
   */
  record Pull(int priority, int most, @Nullable List<BacklogLane> lanes, @Nullable Boolean only)
      implements BacklogCommand {
    /** Creates a pull of the first runs of any lanes. */
    public Pull(int priority, int most) {
      this(priority, most, null, null);
    }
  }

  /**
   * Asks for a run, without changing anything; answered with {@link BacklogAnswer.Found}.
   *
   * @param job id of the job
   */
  record Find(String job) implements BacklogCommand {}

  /** Check of what is due or has waited too long, of the backlog to itself. */
  record Tick() implements BacklogCommand {}
}
