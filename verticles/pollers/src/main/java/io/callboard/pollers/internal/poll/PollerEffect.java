package io.callboard.pollers.internal.poll;

import io.callboard.pollers.source.SourceMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Effect that a {@link PollerMachine} wants. Each effect with a number has one answer, or one
 * failure, which also stands for an answer that did not come in time.
 */
public sealed interface PollerEffect {
  /**
   * Make a new source and open it.
   *
   * @param life number of the source
   */
  record Open(long life) implements PollerEffect {}

  /**
   * Close the source; answered also if that fails.
   *
   * @param life number of the source
   */
  record Close(long life) implements PollerEffect {}

  /** Take messages. */
  record Poll(long call, int most) implements PollerEffect {}

  /** Submit an attempt of a message, or ask what has become of it. */
  record Submit(long call, SourceMessage message, int attempt) implements PollerEffect {}

  /** Keep messages taken. */
  record Extend(long call, List<String> receipts) implements PollerEffect {}

  /** Acknowledge messages. */
  record Complete(long call, List<String> receipts) implements PollerEffect {}

  /** Give messages back. */
  record Release(long call, List<String> receipts) implements PollerEffect {}

  /** Give a message back after a failure. */
  record Fail(long call, String receipt, Duration delay, String cause) implements PollerEffect {}

  /** Set a message aside. */
  record Dead(long call, String receipt, String cause) implements PollerEffect {}

  /**
   * Send what is to be sent when a message was done well.
   *
   * @param attempt number of the attempt that was
   * @param result how it was
   * @param sent which of what is to be sent was sent already, counted from 0
   */
  record Emit(
      long call, SourceMessage message, int attempt, Outcome.Succeeded result, Set<Integer> sent)
      implements PollerEffect {
    /** Copies the set. */
    public Emit {
      sent = Set.copyOf(sent);
    }
  }
}
