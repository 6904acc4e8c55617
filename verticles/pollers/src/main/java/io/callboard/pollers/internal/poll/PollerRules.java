package io.callboard.pollers.internal.poll;

import io.callboard.supervision.Backoff;
import io.callboard.supervision.ExponentialBackoff;
import java.time.Duration;

/**
 * Rules of a poller.
 *
 * @param credit most messages that are taken and not acknowledged
 * @param onComplete whether a message is acknowledged when what it started has ended
 * @param attempts number of attempts of a message
 * @param retry delays between them
 * @param emits whether something is sent when a message was done well
 * @param reopen pauses before a source that failed is opened again
 * @param again pauses before a call to a source, or a submission, is repeated
 * @param bytes most bytes of bodies that are taken and not acknowledged; one poll may exceed it
 */
public record PollerRules(
    int credit,
    boolean onComplete,
    int attempts,
    ExponentialBackoff retry,
    boolean emits,
    ExponentialBackoff reopen,
    ExponentialBackoff again,
    long bytes) {
  /** Usual bytes. */
  public static final long BYTES = 128L << 20;

  /** Creates rules with the usual pauses. */
  public PollerRules(
      int credit, boolean onComplete, int attempts, ExponentialBackoff retry, boolean emits) {
    this(
        credit,
        onComplete,
        attempts,
        retry,
        emits,
        Backoff.exponential(Duration.ofMillis(500), Duration.ofMinutes(1)),
        Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30)),
        BYTES);
  }
}
