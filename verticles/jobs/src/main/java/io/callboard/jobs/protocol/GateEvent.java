package io.callboard.jobs.protocol;

import io.callboard.jobs.model.JobType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Events of the gate. */
public sealed interface GateEvent {
  /** A run waits. */
  record Enqueued(
      String job,
      int runId,
      String type,
      int priority,
      Instant at,
      @Nullable Instant notBefore,
      @Nullable Instant expiresAt)
      implements GateEvent {}

  /** A run does not wait any more. */
  record Withdrawn(String job) implements GateEvent {}

  /**
   * A run may go: its handle.
   *
   * @param term of the host, as it reported last; null from an older node
   */
  record Granted(
      String job,
      int runId,
      String type,
      String host,
      String boot,
      Instant at,
      @Nullable Integer term)
      implements GateEvent {}

  /** A handle is void, its slot free. */
  record Released(String job, int runId) implements GateEvent {}

  /** A type was made or changed. */
  record TypePut(JobType type) implements GateEvent {}
}
