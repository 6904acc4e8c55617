package io.callboard.admin;

import io.callboard.codecs.ActorPath;
import io.callboard.supervision.ChildKind;
import io.callboard.supervision.FailureStreak;
import io.callboard.supervision.FailureZone;
import io.callboard.supervision.RestartBudget;
import io.callboard.supervision.Strategy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Status of one failure zone of a node.
 *
 * @param policy its present policy, see {@link CallboardAdmin#changePolicy}
 * @param children the actors and zones of it, in the order of their starts
 * @param restarts of the zone as a whole
 * @param lastFailure why it escalated last; null if it never did
 * @param nextAttempt when it is started again; null unless it {@link State#WAITS}, or if that
 *     depends on another zone
 * @param supervisor the path of the zone above; null if it is an outermost one
 * @param childFailures how often its children failed, actors and zones, including those that no
 *     longer exist; interruptions do not count
 * @param childRestarts how often children were restarted, for whatever reason
 * @param needs what must be resumed before it can run: a zone above it, or a sibling; null if
 *     nothing of that kind rests
 * @param budget what is left of the restarts of its children, all together
 * @param childKind when it is started again as a child of the zone above
 * @param ownBudget what is left of its own restarts; null if it has no intensity of its own, so
 *     that only the budget of the zone above limits them
 * @param failing its failures as a whole since it last ran well; null if there are none, or nothing
 *     of it is to run now
 */
public record FailureZoneStatus(
    ActorPath path,
    String node,
    FailureZone policy,
    State state,
    List<ActorPath> children,
    int restarts,
    @Nullable String lastFailure,
    @Nullable Instant lastFailureAt,
    @Nullable Instant nextAttempt,
    @Nullable ActorPath supervisor,
    long childFailures,
    long childRestarts,
    @Nullable ActorPath needs,
    RestartBudget budget,
    ChildKind childKind,
    @Nullable RestartBudget ownBudget,
    @Nullable FailureStreak failing) {
  /** Returns the strategy of its policy. */
  public Strategy strategy() {
    return policy.strategy();
  }

  /** State of a failure zone. */
  public enum State {
    /** State of a zone whose children are being started. */
    STARTING,
    /**
     * State of a zone whose supervisor supervises its children, which may fail and be restarted.
     */
    RUNNING,
    /**
     * State of a zone that failed and is started again after its backoff, or with the zone above.
     */
    WAITS,
    /** State of a zone whose children are being stopped. */
    STOPPING,
    /** State of a zone of which nothing runs until it is resumed. */
    FAILED,
    /** State of a zone that an operator stopped; nothing of it runs until it is resumed. */
    STOPPED,
    /**
     * State of a zone that needs something that rests, a zone above or a sibling before it: see
     * {@link #needs}.
     */
    RESTS
  }
}
