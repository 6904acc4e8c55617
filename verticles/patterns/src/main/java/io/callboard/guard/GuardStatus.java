package io.callboard.guard;

import io.callboard.admin.CircuitDetails;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Status of a guard. Counters only grow, until the guard is stopped or restarted.
 *
 * @param failures consecutive failures since the last acknowledgement that came in time
 * @param held messages that wait to be given to the guarded actor, now
 * @param underWay messages that the guarded actor has, now
 * @param acknowledged messages that the guarded actor handled or refused
 * @param redelivered attempts after the first of a message
 * @param fallback messages that went to the fallback
 * @param givenUp messages that became dead letters: over the limit, out of attempts, or held when
 *     the guard ended
 * @param lapsed messages that lapsed: their ask had timed out, or their deadline had passed
 * @param openedAt since when the circuit is not closed; null if it is
 */
public record GuardStatus(
    State state,
    long failures,
    int held,
    int underWay,
    long acknowledged,
    long redelivered,
    long fallback,
    long givenUp,
    long lapsed,
    @Nullable Instant openedAt)
    implements CircuitDetails {

  /** The status of a new guard. */
  public static final GuardStatus NEW = new GuardStatus(State.CLOSED, 0, 0, 0, 0, 0, 0, 0, 0, null);

  @Override
  public boolean halfOpen() {
    return state == State.HALF_OPEN;
  }

  /** State of the circuit. */
  public enum State {
    /** Messages are given to the guarded actor as they come. */
    CLOSED,
    /**
     * State of a circuit whose actor failed, which gets no messages until the backoff has elapsed.
     */
    OPEN,
    /** The backoff has elapsed: one message is tried, or the next will be. */
    HALF_OPEN
  }
}
