package io.callboard.workflows.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Receipt of a message: what has become of it.
 *
 * @param id id of the message
 * @param state its state
 * @param instance id of its instance; null for none
 * @param outcome outcome of its first instance; null before
 * @param error why it failed; null for none
 * @param acceptedAt when it was accepted
 * @param settledAt when it was settled; null before
 * @param attempts how often its builder was asked for it
 * @param chain number of instances that have begun because of it
 */
public record MessageReceipt(
    String id,
    State state,
    @Nullable String instance,
    @Nullable InstanceState outcome,
    @Nullable String error,
    Instant acceptedAt,
    @Nullable Instant settledAt,
    int attempts,
    int chain) {
  /** State of a message. */
  public enum State {
    /** State of a message whose builder is to say what starts. */
    BUILDING,
    /** State of a message whose instance has started and has not ended. */
    STARTED,
    /** State of a message whose instance has ended; settled. */
    ENDED,
    /**
     * State of a message whose builder failed, or whose definition could not be started; settled.
     */
    FAILED,
    /** State of a message whose builder wanted nothing to start; settled. */
    EMPTY;

    /** Returns whether a message in this state is settled. */
    public boolean isSettled() {
      return compareTo(ENDED) >= 0;
    }
  }
}
