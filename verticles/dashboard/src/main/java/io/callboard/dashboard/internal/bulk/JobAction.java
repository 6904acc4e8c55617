package io.callboard.dashboard.internal.bulk;

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

import io.callboard.jobs.model.JobState;
import java.util.List;
import java.util.stream.Stream;

/** Action on many jobs, done to each as to one alone. */
public enum JobAction implements BulkAction<JobState> {
  /** Ends jobs that have not ended. */
  CANCEL,
  /** Queues ended jobs once more; those that succeeded only if they are asked for. */
  RERUN,
  /** Keeps jobs from running. */
  HOLD,
  /** Releases held jobs. */
  RELEASE;

  @Override
  public List<JobState> states() {
    return switch (this) {
      case CANCEL ->
          List.of(
              SCHEDULED, BLOCKED, QUEUED, ADMITTED, RUNNING, STALLED, SUSPECT, RETRY_WAIT, HELD);
      case RERUN -> List.of(DEAD, CANCELLED, EXPIRED);
      case HOLD -> List.of(SCHEDULED, QUEUED, RETRY_WAIT);
      case RELEASE -> List.of(HELD);
    };
  }

  @Override
  public List<JobState> possible() {
    return Stream.concat(states().stream(), this == RERUN ? Stream.of(SUCCEEDED) : Stream.of())
        .toList();
  }
}
