package io.callboard.workflows.protocol;

import java.time.Duration;

/** Answer to a request for a run. */
public sealed interface RequestAnswer {
  /**
   * The desk has the request: queued, assigned or running.
   *
   * @param epoch epoch of the desk; a desk of another epoch is to be asked again
   */
  record Queued(long epoch) implements RequestAnswer {}

  /**
   * The desk does not take the request now; it is to be repeated after the delay.
   *
   * @param why reason, for people
   * @param retryAfter delay
   */
  record Refused(String why, Duration retryAfter) implements RequestAnswer {}
}
