package io.callboard.dashboard.bulk;

import static io.callboard.jobs.model.JobState.ADMITTED;
import static io.callboard.jobs.model.JobState.BLOCKED;
import static io.callboard.jobs.model.JobState.CANCELLED;
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

import io.callboard.jobs.Jobs;
import io.callboard.jobs.model.Job;
import io.callboard.jobs.model.JobState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** What can be done to many jobs: the same as to one. */
public enum JobAction {
  /** Ends jobs that have not ended. */
  CANCEL(
      Jobs::cancel,
      List.of(SCHEDULED, BLOCKED, QUEUED, ADMITTED, RUNNING, STALLED, SUSPECT, RETRY_WAIT, HELD),
      List.of()),
  /** Queues ended jobs once more; those that succeeded only if they are asked for. */
  RERUN(Jobs::rerun, List.of(DEAD, CANCELLED, EXPIRED), List.of(SUCCEEDED)),
  /** Keeps jobs from running. */
  HOLD(Jobs::hold, List.of(SCHEDULED, QUEUED, RETRY_WAIT), List.of()),
  /** Lets held jobs run. */
  RELEASE(Jobs::release, List.of(HELD), List.of());

  private final BiFunction<Jobs, String, Future<Job>> one;
  private final List<JobState> usual;
  private final List<JobState> asked;

  /**
   * @param usual states in which it is possible
   * @param asked further ones, of jobs that are meant only if that state is asked for
   */
  JobAction(BiFunction<Jobs, String, Future<Job>> one, List<JobState> usual, List<JobState> asked) {
    this.one = one;
    this.usual = usual;
    this.asked = asked;
  }

  /** Returns the action of that word, one of the contract's. */
  public static JobAction of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Returns the word that stands for it in paths and answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Does it to one job. */
  Future<Job> act(Jobs jobs, String id) {
    return one.apply(jobs, id);
  }

  /** Returns the states of the jobs that are meant if none is asked for. */
  List<JobState> states() {
    return usual;
  }

  /** Returns whether it can be done to a job in that state. */
  public boolean isPossible(JobState state) {
    return Stream.concat(usual.stream(), asked.stream()).anyMatch(each -> each == state);
  }

  /** Returns the states in which it is possible, for people. */
  public String possible() {
    return String.join(
        ", ", Stream.concat(usual.stream(), asked.stream()).map(JobState::name).toList());
  }
}
