package io.callboard.workflows.internal.starts;

import io.callboard.workflows.model.MessageReceipt;
import java.time.Duration;
import java.time.Instant;

/** Answers of the actor of one message. */
public sealed interface IntakeAnswer {
  /**
   * The receipt of the message.
   *
   * @param receipt the receipt
   */
  record Is(MessageReceipt receipt) implements IntakeAnswer {}

  /** Answer that there is no such message, or that its receipt is not kept any more. */
  record Missing() implements IntakeAnswer {}

  /**
   * Answer that the id belongs to another message, by their digests; only given to callers that
   * name a digest.
   *
   * @param acceptedAt when that was accepted
   */
  record Another(Instant acceptedAt) implements IntakeAnswer {}

  /**
   * The message was not taken.
   *
   * @param why reason, for people
   * @param retryAfter delay after which it may be tried again
   */
  record Refused(String why, Duration retryAfter) implements IntakeAnswer {}
}
