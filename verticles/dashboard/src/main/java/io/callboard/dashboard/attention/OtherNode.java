package io.callboard.dashboard.attention;

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
  /** Time without an answer after which a member is silent: the time of two questions. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Returns whether it is silent: it does not answer, and has not for a while, as it may if it has
   * only joined, or is busy for a moment.
   */
  boolean isSilent(Instant now) {
    if (rollUp.isFresh()) {
      return false;
    }
    Instant heard = rollUp.asOf() == null ? member.since() : rollUp.asOf();
    Duration silence = Duration.between(heard, now);
    // a member whose clock is ahead has no time of joining that could excuse it
    return silence.isNegative() || silence.compareTo(PATIENCE) > 0;
  }
}
