package io.callboard.dashboard.internal.bulk;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Status of one run of an action on many items.
 *
 * @param node name of the node that does it
 * @param action what is done
 * @param by who asked for it
 * @param reason reason that was given; may be empty
 * @param state what has become of it
 * @param why why it ended before all items were tried; null if it did not
 * @param incomplete why others that match may be missing among the items; null if none are
 * @param matched number of items
 * @param done number of those to which it was done
 * @param failed number of those to which it was not
 * @param failures the first of them
 * @param ratePerSecond items a second
 * @param startedAt when it began
 * @param endedAt when it ended; null before
 */
public record BulkStatus(
    String node,
    String action,
    String by,
    String reason,
    State state,
    @Nullable String why,
    @Nullable String incomplete,
    int matched,
    int done,
    int failed,
    List<BulkFailure> failures,
    double ratePerSecond,
    Instant startedAt,
    @Nullable Instant endedAt) {
  /** Copies the list. */
  public BulkStatus {
    failures = List.copyOf(failures);
  }

  /** State of a run. */
  public enum State {
    /** State of a run that goes on. */
    RUNNING,
    /** State of a run that has tried all items. */
    ENDED,
    /** State of a run that was stopped; the items that are left were not tried. */
    STOPPED,
    /** State of a run that gave up, since many items failed one after the other. */
    GAVE_UP,
    /** State of a run whose node has gone while it went on; what is left was not tried. */
    INTERRUPTED
  }

  /** Returns whether the run has made more progress in this status than in another one. */
  boolean isLaterThan(BulkStatus other) {
    return (endedAt != null && other.endedAt == null) || done + failed > other.done + other.failed;
  }

  /** Returns the status as other nodes are told it, without the failures, which may be long. */
  BulkStatus withoutFailures() {
    return with(state, why, List.of());
  }

  /** Returns the status of the run after its node has gone. */
  BulkStatus interrupted() {
    return state != State.RUNNING
        ? this
        : with(
            State.INTERRUPTED,
            "its node %s has gone; when it was heard of last, %d of %d were not done"
                .formatted(node, matched - done - failed, matched),
            failures);
  }

  private BulkStatus with(State as, @Nullable String because, List<BulkFailure> its) {
    return new BulkStatus(
        node,
        action,
        by,
        reason,
        as,
        because,
        incomplete,
        matched,
        done,
        failed,
        its,
        ratePerSecond,
        startedAt,
        endedAt);
  }
}
