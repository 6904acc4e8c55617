package io.callboard.jobs.internal.transition;

import static io.callboard.jobs.internal.transition.JobEffect.ENQUEUE;
import static io.callboard.jobs.internal.transition.JobEffect.GIVE_BACK;
import static io.callboard.jobs.internal.transition.JobEffect.KILL;
import static io.callboard.jobs.internal.transition.JobEffect.NOTE;
import static io.callboard.jobs.internal.transition.JobEffect.REFUSE;
import static io.callboard.jobs.internal.transition.JobEffect.START_TOTAL;
import static io.callboard.jobs.internal.transition.JobEffect.WITHDRAW;
import static io.callboard.jobs.model.JobState.ADMITTED;
import static io.callboard.jobs.model.JobState.CANCELLED;
import static io.callboard.jobs.model.JobState.CANCELLING;
import static io.callboard.jobs.model.JobState.DEAD;
import static io.callboard.jobs.model.JobState.EXPIRED;
import static io.callboard.jobs.model.JobState.HELD;
import static io.callboard.jobs.model.JobState.QUEUED;
import static io.callboard.jobs.model.JobState.RETRY_WAIT;
import static io.callboard.jobs.model.JobState.RUNNING;
import static io.callboard.jobs.model.JobState.SCHEDULED;
import static io.callboard.jobs.model.JobState.STALLED;
import static io.callboard.jobs.model.JobState.SUCCEEDED;
import static io.callboard.jobs.model.JobState.SUSPECT;

import io.callboard.jobs.model.JobState;
import io.callboard.time.Machine;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Transitions of a job, row by row. Each row that ends the job tells its end. */
@Machine
public enum JobTransition implements Transition<JobState> {
  SUBMIT_LATER(
      From.NONE, JobTrigger.SUBMITTED, JobCondition.LATER, SCHEDULED, ENQUEUE, START_TOTAL),
  SUBMIT(From.NONE, JobTrigger.SUBMITTED, JobCondition.ALWAYS, QUEUED, ENQUEUE, START_TOTAL),
  SUBMIT_AGAIN(From.ANY, JobTrigger.SUBMITTED, JobCondition.ALWAYS, null),

  GRANT_STALE(From.ANY, JobTrigger.GRANTED, JobCondition.STALE, null, GIVE_BACK, NOTE),
  GRANT(From.IN_QUEUE, JobTrigger.GRANTED, JobCondition.ALWAYS, ADMITTED, JobEffect.START),
  GRANT_UNWANTED(
      From.ANY, JobTrigger.GRANTED, JobCondition.ALWAYS, null, GIVE_BACK, JobEffect.USE_RUN_ID),

  START_STALE(From.ANY, JobTrigger.STARTED, JobCondition.STALE, null, NOTE),
  START(From.of(ADMITTED), JobTrigger.STARTED, JobCondition.ALWAYS, RUNNING),
  START_SEEN(From.ANY, JobTrigger.STARTED, JobCondition.ALWAYS, null),

  SILENT_STALE(From.ANY, JobTrigger.SILENT, JobCondition.STALE, null, NOTE),
  SILENT(From.of(ADMITTED, RUNNING, STALLED), JobTrigger.SILENT, JobCondition.ALWAYS, SUSPECT),
  SILENT_SEEN(From.ANY, JobTrigger.SILENT, JobCondition.ALWAYS, null),

  HEARD_STALE(From.ANY, JobTrigger.HEARD, JobCondition.STALE, null, NOTE),
  HEARD_STALLED(From.of(SUSPECT), JobTrigger.HEARD, JobCondition.STALLED, STALLED),
  HEARD_RUNNING(From.of(SUSPECT), JobTrigger.HEARD, JobCondition.STARTED, RUNNING),
  HEARD_ADMITTED(From.of(SUSPECT), JobTrigger.HEARD, JobCondition.ALWAYS, ADMITTED),
  HEARD_SEEN(From.ANY, JobTrigger.HEARD, JobCondition.ALWAYS, null),

  STALL_STALE(From.ANY, JobTrigger.STALLED, JobCondition.STALE, null, NOTE),
  STALL(From.of(ADMITTED, RUNNING), JobTrigger.STALLED, JobCondition.ALWAYS, STALLED),
  STALL_SEEN(From.ANY, JobTrigger.STALLED, JobCondition.ALWAYS, null),

  PROGRESS_STALE(From.ANY, JobTrigger.PROGRESSED, JobCondition.STALE, null, NOTE),
  PROGRESS(From.of(STALLED), JobTrigger.PROGRESSED, JobCondition.ALWAYS, RUNNING),
  PROGRESS_SEEN(From.ANY, JobTrigger.PROGRESSED, JobCondition.ALWAYS, null),

  WROTE_STALE(From.ANY, JobTrigger.WROTE, JobCondition.STALE, null, NOTE),
  WROTE(From.ANY, JobTrigger.WROTE, JobCondition.ALWAYS, null, JobEffect.KEEP),

  INSPECTED_STALE(From.ANY, JobTrigger.INSPECTED, JobCondition.STALE, null, NOTE),
  INSPECTED(From.ANY, JobTrigger.INSPECTED, JobCondition.ALWAYS, null, NOTE),

  KILL_FAILED_STALE(From.ANY, JobTrigger.KILL_FAILED, JobCondition.STALE, null, NOTE),
  KILL_FAILED(From.ANY, JobTrigger.KILL_FAILED, JobCondition.ALWAYS, null, NOTE),

  END_STALE(From.ANY, JobTrigger.ENDED, JobCondition.STALE, null, GIVE_BACK, NOTE),
  END_SUCCEEDED(From.LIVE, JobTrigger.ENDED, JobCondition.SUCCEEDED, SUCCEEDED, GIVE_BACK),
  END_CANCELLED(From.of(CANCELLING), JobTrigger.ENDED, JobCondition.ALWAYS, CANCELLED, GIVE_BACK),
  END_RETRY(From.LIVE, JobTrigger.ENDED, JobCondition.RETRIES, RETRY_WAIT, GIVE_BACK, ENQUEUE),
  END_DEAD(From.LIVE, JobTrigger.ENDED, JobCondition.ALWAYS, DEAD, GIVE_BACK),
  END_SEEN(From.ANY, JobTrigger.ENDED, JobCondition.ALWAYS, null, GIVE_BACK),

  NOT_STARTED_STALE(From.ANY, JobTrigger.NOT_STARTED, JobCondition.STALE, null, GIVE_BACK, NOTE),
  NOT_STARTED_REFUSED(From.LIVE, JobTrigger.NOT_STARTED, JobCondition.STARTED, null, NOTE),
  NOT_STARTED_CANCELLED(
      From.of(CANCELLING), JobTrigger.NOT_STARTED, JobCondition.ALWAYS, CANCELLED, GIVE_BACK),
  NOT_STARTED_DEAD(From.LIVE, JobTrigger.NOT_STARTED, JobCondition.TOTAL_ELAPSED, DEAD, GIVE_BACK),
  NOT_STARTED_AGAIN(
      From.LIVE, JobTrigger.NOT_STARTED, JobCondition.ALWAYS, QUEUED, GIVE_BACK, ENQUEUE),
  NOT_STARTED_SEEN(From.ANY, JobTrigger.NOT_STARTED, JobCondition.ALWAYS, null, GIVE_BACK),

  LOST_STALE(From.ANY, JobTrigger.LOST, JobCondition.STALE, null, GIVE_BACK, NOTE),
  LOST_CANCELLED(From.of(CANCELLING), JobTrigger.LOST, JobCondition.ALWAYS, CANCELLED, GIVE_BACK),
  LOST_GIVEN_UP(From.LIVE, JobTrigger.LOST, JobCondition.GIVEN_UP, DEAD, GIVE_BACK),
  LOST_TOTAL(From.LIVE, JobTrigger.LOST, JobCondition.TOTAL_ELAPSED, DEAD, GIVE_BACK),
  LOST_HELD(From.LIVE, JobTrigger.LOST, JobCondition.HOLDS, HELD, GIVE_BACK),
  LOST_SUSPECTED(
      From.LIVE, JobTrigger.LOST, JobCondition.SUSPECTED, RETRY_WAIT, GIVE_BACK, ENQUEUE),
  LOST_AGAIN(From.LIVE, JobTrigger.LOST, JobCondition.ALWAYS, QUEUED, GIVE_BACK, ENQUEUE),
  LOST_SEEN(From.ANY, JobTrigger.LOST, JobCondition.ALWAYS, null, GIVE_BACK),

  EXPIRE_STALE(From.ANY, JobTrigger.EXPIRED, JobCondition.STALE, null, NOTE),
  EXPIRE(From.IN_QUEUE, JobTrigger.EXPIRED, JobCondition.ALWAYS, EXPIRED),
  EXPIRE_SEEN(From.ANY, JobTrigger.EXPIRED, JobCondition.ALWAYS, null),

  UNREADABLE_STALE(From.ANY, JobTrigger.UNREADABLE, JobCondition.STALE, null, NOTE),
  UNREADABLE(From.IN_QUEUE, JobTrigger.UNREADABLE, JobCondition.ALWAYS, DEAD),
  UNREADABLE_SEEN(From.ANY, JobTrigger.UNREADABLE, JobCondition.ALWAYS, null),

  TOTAL_KILL(From.LIVE, JobTrigger.TOTAL_ELAPSED, JobCondition.ALWAYS, null, KILL),
  TOTAL_DEAD(From.WAITING, JobTrigger.TOTAL_ELAPSED, JobCondition.TRIED, DEAD, WITHDRAW),
  TOTAL_EXPIRED(From.WAITING, JobTrigger.TOTAL_ELAPSED, JobCondition.ALWAYS, EXPIRED, WITHDRAW),
  TOTAL_ENDED(From.ANY, JobTrigger.TOTAL_ELAPSED, JobCondition.ALWAYS, null),

  KILL_AGAIN(From.of(CANCELLING), JobTrigger.STILL_THERE, JobCondition.ALWAYS, null, KILL),
  KILLED(From.ANY, JobTrigger.STILL_THERE, JobCondition.ALWAYS, null),

  CANCEL_WAITING(From.WAITING, JobTrigger.CANCEL, JobCondition.ALWAYS, CANCELLED, WITHDRAW),
  CANCEL_AGAIN(From.of(CANCELLING, CANCELLED), JobTrigger.CANCEL, JobCondition.ALWAYS, null),
  CANCEL_RUN(From.LIVE, JobTrigger.CANCEL, JobCondition.ALWAYS, CANCELLING, KILL),
  CANCEL_ENDED(From.ANY, JobTrigger.CANCEL, JobCondition.ALWAYS, null, REFUSE),

  HOLD_AGAIN(From.of(HELD), JobTrigger.HOLD, JobCondition.ALWAYS, null),
  HOLD(From.WAITING, JobTrigger.HOLD, JobCondition.ALWAYS, HELD, WITHDRAW),
  HOLD_REFUSED(From.ANY, JobTrigger.HOLD, JobCondition.ALWAYS, null, REFUSE),

  RELEASE_DUE(From.of(HELD), JobTrigger.RELEASE, JobCondition.DUE, QUEUED, ENQUEUE),
  RELEASE_RETRY(From.of(HELD), JobTrigger.RELEASE, JobCondition.TRIED, RETRY_WAIT, ENQUEUE),
  RELEASE_LATER(From.of(HELD), JobTrigger.RELEASE, JobCondition.ALWAYS, SCHEDULED, ENQUEUE),
  RELEASE_REFUSED(From.ANY, JobTrigger.RELEASE, JobCondition.ALWAYS, null, REFUSE),

  RERUN(From.ENDED, JobTrigger.RERUN, JobCondition.ALWAYS, QUEUED, ENQUEUE, START_TOTAL),
  RERUN_REFUSED(From.ANY, JobTrigger.RERUN, JobCondition.ALWAYS, null, REFUSE),

  DELETE(From.ENDED, JobTrigger.DELETE, JobCondition.ALWAYS, null, JobEffect.DELETE),
  DELETE_REFUSED(From.ANY, JobTrigger.DELETE, JobCondition.ALWAYS, null, REFUSE),

  LET_GO_STALE(From.ANY, JobTrigger.LET_GO, JobCondition.OTHER_VERSION, null),
  LET_GO(From.ENDED, JobTrigger.LET_GO, JobCondition.ALWAYS, null, JobEffect.LET_GO),
  LET_GO_LIVE(From.ANY, JobTrigger.LET_GO, JobCondition.ALWAYS, null);

  /** Sets of states from which rows lead; an empty one stands for no job. */
  private static final class From {
    static final Set<JobState> NONE = Set.of();
    static final Set<JobState> ANY = EnumSet.allOf(JobState.class);

    /** States in which the gate has the job. */
    static final Set<JobState> IN_QUEUE = of(SCHEDULED, QUEUED, RETRY_WAIT);

    /** States without a run and before the end. */
    static final Set<JobState> WAITING = of(SCHEDULED, JobState.BLOCKED, QUEUED, RETRY_WAIT, HELD);

    /** States with a run that may be alive. */
    static final Set<JobState> LIVE = of(ADMITTED, RUNNING, STALLED, SUSPECT, CANCELLING);

    static final Set<JobState> ENDED = of(SUCCEEDED, DEAD, CANCELLED, EXPIRED);

    static Set<JobState> of(JobState first, JobState... more) {
      return Collections.unmodifiableSet(EnumSet.of(first, more));
    }
  }

  private static final Map<JobTrigger, List<JobTransition>> BY_TRIGGER =
      Transition.byTrigger(values());

  private final Set<JobState> from;
  private final JobTrigger trigger;
  private final JobCondition condition;
  private final @Nullable JobState to;
  private final Set<JobEffect> effects;

  JobTransition(
      Set<JobState> from,
      JobTrigger trigger,
      JobCondition condition,
      @Nullable JobState to,
      JobEffect... effects) {
    this.from = from;
    this.trigger = trigger;
    this.condition = condition;
    this.to = to;
    Set<JobEffect> all = EnumSet.noneOf(JobEffect.class);
    all.addAll(List.of(effects));
    if (to != null && to.terminal()) {
      all.add(JobEffect.TELL_END);
    }
    this.effects = Collections.unmodifiableSet(all);
  }

  /**
   * Returns the row to take.
   *
   * @param state current state; null if there is no job
   * @throws IllegalStateException if no row fits, which happens only without a job
   */
  public static JobTransition of(@Nullable JobState state, JobTrigger trigger, JobFacts facts) {
    for (JobTransition rule : BY_TRIGGER.getOrDefault(trigger, List.of())) {
      if (rule.fits(state) && rule.condition.holds(facts)) {
        return rule;
      }
    }
    throw new IllegalStateException("no rule for %s in state %s".formatted(trigger, state));
  }

  @Override
  public JobTrigger trigger() {
    return trigger;
  }

  @Override
  public Set<JobState> from() {
    return from;
  }

  @Override
  public String condition() {
    return condition.words();
  }

  @Override
  public @Nullable JobState to() {
    return to;
  }

  @Override
  public Set<JobEffect> effects() {
    return effects;
  }
}
