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
import java.util.stream.Stream;

/** What can be done to many jobs: the same as to one. */
public enum JobAction {
  /** Ends jobs that have not ended. */
  CANCEL,
  /** Queues ended jobs once more; those that succeeded only if they are asked for. */
  RERUN,
  /** Keeps jobs from running. */
  HOLD,
  /** Lets held jobs run. */
  RELEASE;

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
    return switch (this) {
      case CANCEL -> jobs.cancel(id);
      case RERUN -> jobs.rerun(id);
      case HOLD -> jobs.hold(id);
      case RELEASE -> jobs.release(id);
    };
  }

  /** Returns the states of the jobs that are meant if none is asked for. */
  List<JobState> states() {
    return switch (this) {
      case CANCEL ->
          List.of(
              SCHEDULED, BLOCKED, QUEUED, ADMITTED, RUNNING, STALLED, SUSPECT, RETRY_WAIT, HELD);
      case RERUN -> List.of(DEAD, CANCELLED, EXPIRED);
      case HOLD -> List.of(SCHEDULED, QUEUED, RETRY_WAIT);
      case RELEASE -> List.of(HELD);
    };
  }

  private Stream<JobState> possibleStates() {
    return Stream.concat(states().stream(), this == RERUN ? Stream.of(SUCCEEDED) : Stream.of());
  }

  /** Returns whether it can be done to a job in that state. */
  public boolean isPossible(JobState state) {
    return possibleStates().anyMatch(each -> each == state);
  }

  /** Returns the states in which it is possible, for people. */
  public String possible() {
    return String.join(", ", possibleStates().map(JobState::name).toList());
  }
}
