package io.callboard.jobs.internal.transition;

import static io.callboard.jobs.internal.transition.JobEffect.NOTE;

import io.callboard.jobs.model.RunState;
import io.callboard.time.Machine;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Transitions of a run, row by row, for the triggers that name a run. What a row keeps as an event
 * is refused: the run is over, or cannot have become what is reported. All other effects are those
 * of the job's row.
 */
@Machine
public enum RunTransition implements Transition<RunState> {
  GRANT(From.NONE, JobTrigger.GRANTED, RunCondition.ALWAYS, RunState.ADMITTED),
  GRANT_STALE(From.ANY, JobTrigger.GRANTED, RunCondition.ALWAYS, null, NOTE),

  START_STALE(From.OVER, JobTrigger.STARTED, RunCondition.ALWAYS, null, NOTE),
  START(From.ADMITTED, JobTrigger.STARTED, RunCondition.ALWAYS, RunState.RUNNING),
  START_SEEN(From.OPEN, JobTrigger.STARTED, RunCondition.ALWAYS, null),

  SILENT_STALE(From.OVER, JobTrigger.SILENT, RunCondition.ALWAYS, null, NOTE),
  SILENT(From.OPEN, JobTrigger.SILENT, RunCondition.ALWAYS, null),

  HEARD_STALE(From.OVER, JobTrigger.HEARD, RunCondition.ALWAYS, null, NOTE),
  HEARD(From.OPEN, JobTrigger.HEARD, RunCondition.ALWAYS, null),

  STALL_STALE(From.OVER, JobTrigger.STALLED, RunCondition.ALWAYS, null, NOTE),
  STALL(From.OPEN, JobTrigger.STALLED, RunCondition.ALWAYS, null),

  PROGRESS_STALE(From.OVER, JobTrigger.PROGRESSED, RunCondition.ALWAYS, null, NOTE),
  PROGRESS(From.OPEN, JobTrigger.PROGRESSED, RunCondition.ALWAYS, null),

  WROTE_STALE(From.OVER, JobTrigger.WROTE, RunCondition.ALWAYS, null, NOTE),
  WROTE(From.OPEN, JobTrigger.WROTE, RunCondition.ALWAYS, null),

  INSPECTED_STALE(From.OVER, JobTrigger.INSPECTED, RunCondition.ALWAYS, null, NOTE),
  INSPECTED(From.OPEN, JobTrigger.INSPECTED, RunCondition.ALWAYS, null),

  KILL_FAILED_STALE(From.OVER, JobTrigger.KILL_FAILED, RunCondition.ALWAYS, null, NOTE),
  KILL_FAILED(From.OPEN, JobTrigger.KILL_FAILED, RunCondition.ALWAYS, null),

  END_STALE(From.OVER, JobTrigger.ENDED, RunCondition.ALWAYS, null, NOTE),
  END_SUCCEEDED(From.OPEN, JobTrigger.ENDED, RunCondition.SUCCEEDED, RunState.SUCCEEDED),
  END_CANCELLED(From.OPEN, JobTrigger.ENDED, RunCondition.CANCELLING, RunState.CANCELLED),
  END_FAILED(From.OPEN, JobTrigger.ENDED, RunCondition.ALWAYS, RunState.FAILED),

  NOT_STARTED_STALE(From.OVER, JobTrigger.NOT_STARTED, RunCondition.ALWAYS, null, NOTE),
  NOT_STARTED(From.ADMITTED, JobTrigger.NOT_STARTED, RunCondition.ALWAYS, RunState.NOT_STARTED),
  NOT_STARTED_REFUSED(From.OPEN, JobTrigger.NOT_STARTED, RunCondition.ALWAYS, null, NOTE),

  LOST_STALE(From.OVER, JobTrigger.LOST, RunCondition.ALWAYS, null, NOTE),
  LOST(From.OPEN, JobTrigger.LOST, RunCondition.ALWAYS, RunState.LOST);

  /** Sets of states from which rows lead; an empty one stands for no run. */
  private static final class From {
    static final Set<RunState> NONE = Set.of();
    static final Set<RunState> ANY = EnumSet.allOf(RunState.class);
    static final Set<RunState> ADMITTED = Set.of(RunState.ADMITTED);

    /** States in which the process of the run may be alive. */
    static final Set<RunState> OPEN =
        Collections.unmodifiableSet(EnumSet.of(RunState.ADMITTED, RunState.RUNNING));

    static final Set<RunState> OVER =
        Collections.unmodifiableSet(
            EnumSet.complementOf(EnumSet.of(RunState.ADMITTED, RunState.RUNNING)));
  }

  private static final Map<JobTrigger, List<RunTransition>> BY_TRIGGER =
      Transition.byTrigger(values());

  private final Set<RunState> from;
  private final JobTrigger trigger;
  private final RunCondition condition;
  private final @Nullable RunState to;
  private final Set<JobEffect> effects;

  RunTransition(
      Set<RunState> from,
      JobTrigger trigger,
      RunCondition condition,
      @Nullable RunState to,
      JobEffect... effects) {
    this.from = from;
    this.trigger = trigger;
    this.condition = condition;
    this.to = to;
    this.effects = Set.of(effects);
  }

  /**
   * Returns the row to take.
   *
   * @param state current state; null if there is no such run
   * @throws IllegalStateException if no row fits, which happens only without a run and for triggers
   *     that name none
   */
  public static RunTransition of(@Nullable RunState state, JobTrigger trigger, RunFacts facts) {
    for (RunTransition rule : BY_TRIGGER.getOrDefault(trigger, List.of())) {
      if (rule.fits(state) && rule.condition.holds(facts)) {
        return rule;
      }
    }
    throw new IllegalStateException(
        "no rule for %s of a run in state %s".formatted(trigger, state));
  }

  @Override
  public JobTrigger trigger() {
    return trigger;
  }

  @Override
  public Set<RunState> from() {
    return from;
  }

  @Override
  public String condition() {
    return condition.words();
  }

  @Override
  public @Nullable RunState to() {
    return to;
  }

  @Override
  public Set<JobEffect> effects() {
    return effects;
  }

  /** Returns whether the row refuses the message. */
  public boolean refuses() {
    return has(NOTE);
  }
}
