package io.callboard.dashboard.internal.attention;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.callboard.store.Member;
import java.time.Duration;
import java.time.Instant;

/**
 * Another member of the cell.
 *
 * @param member the member
 * @param rollUp what it said of itself last, and why it says no more if it does not
 */
public record OtherNode(Member member, Reading<ObjectNode> rollUp) {
  /** Time of failed questions after which a member is silent: that of two of them. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Returns whether the node is silent: it has not answered for a while, longer than a node that
   * has only joined or is busy for a moment.
   */
  boolean isSilent(Instant now) {
    Instant since = rollUp.failedSince();
    return since != null && Duration.between(since, now).compareTo(PATIENCE) > 0;
  }
}
