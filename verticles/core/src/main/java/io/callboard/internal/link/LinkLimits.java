package io.callboard.internal.link;

import java.time.Duration;

/**
 * Limits and timeouts of a link.
 *
 * @param frameMessages the most messages of one frame
 * @param frameBytes bytes after which a frame takes no further message
 * @param windowMessages messages of one peer that this node takes before it has acknowledged them
 * @param windowBytes bytes of one peer that this node takes before it has acknowledged them
 * @param queueMessages messages that wait for one peer before senders are refused
 * @param queueBytes bytes that wait for one peer before senders are refused
 * @param connect time after which a peer that does not welcome the link is gone
 * @param acknowledge time after which a peer that does not acknowledge a frame is gone
 * @param probe time without an acknowledgement of a frame after which the link probes its peer
 */
public record LinkLimits(
    int frameMessages,
    int frameBytes,
    int windowMessages,
    int windowBytes,
    int queueMessages,
    int queueBytes,
    Duration connect,
    Duration acknowledge,
    Duration probe) {

  /** Limits that nodes use. */
  public static final LinkLimits DEFAULT =
      new LinkLimits(
          1_024,
          256 << 10,
          16_384,
          4 << 20,
          65_536,
          32 << 20,
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofMillis(250));
}
