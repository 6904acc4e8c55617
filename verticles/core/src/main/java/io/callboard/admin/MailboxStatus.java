package io.callboard.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Status of a durable mailbox, as its owner knows it.
 *
 * @param messages that wait in the owner's memory, or are handled and not yet committed
 * @param segments behind them that the owner knows of; each holds a message or more
 * @param oldestAt since when the oldest waits; null if none does
 * @param perSecond messages handled for good, over the last minute, exponentially weighted
 * @param attempts of the message that is tried now; 0 if it did not fail
 * @param parked messages parked by this node
 */
public record MailboxStatus(
    long messages,
    long segments,
    @Nullable Instant oldestAt,
    double perSecond,
    int attempts,
    long parked) {

  /** Returns the least number of waiting messages: a segment counts as one. */
  public long depth() {
    return messages + segments;
  }
}
