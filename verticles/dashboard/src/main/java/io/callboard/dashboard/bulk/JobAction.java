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
import io.callboard.jobs.model.JobException;
import io.callboard.jobs.model.JobException.Code;
import io.callboard.jobs.model.JobState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

  /** Does it to one job, if that is in one of the states that are meant. */
  Future<Job> act(Jobs jobs, String id, List<JobState> meant) {
    return jobs.job(id)
        .compose(
            job ->
                meant.contains(job.state())
                    ? act(jobs, id)
                    : Future.failedFuture(
                        new JobException(
                            Code.ILLEGAL_STATE,
                            "it is %s by now, and the request was for jobs that are %s"
                                .formatted(job.state(), words(meant)))));
  }

  private Future<Job> act(Jobs jobs, String id) {
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

  /** Returns the states of the jobs that are meant if that one is asked for, or none. */
  public List<JobState> meant(@Nullable JobState asked) {
    return asked == null ? states() : List.of(asked);
  }

  /** Returns the states in which it can be done to a job. */
  public List<JobState> possible() {
    return Stream.concat(states().stream(), this == RERUN ? Stream.of(SUCCEEDED) : Stream.of())
        .toList();
  }

  /** Returns states, for people. */
  static String words(List<JobState> states) {
    return String.join(", ", states.stream().map(JobState::name).toList());
  }
}
