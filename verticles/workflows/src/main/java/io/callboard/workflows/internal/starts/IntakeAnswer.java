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
   * The id is that of another message, by their digests; only those who name one are told so.
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
