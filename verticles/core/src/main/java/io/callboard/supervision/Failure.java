package io.callboard.supervision;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A failure of an actor or a failure zone, with the decision of its supervisor. It holds only
 * texts, so that it keeps no object of the actor in memory. Immutable.
 *
 * @param at time of the failure; of several equal ones, of the last
 * @param kind the kind of failure
 * @param cause class and message of the cause, at most {@value #MOST_CAUSE} characters
 * @param stack stack traces of the cause and its causes: frames, one per line, at most {@value
 *     #MOST_STACK} characters; null if there are none, or they are not kept any more
 * @param node the node on which it happened; for {@link Kind#NODE_LOST} the lost node
 * @param restarts restarts of the actor on that node before it
 * @param times number of occurrences: 1, except for {@link Kind#INTERRUPTED}, whose consecutive
 *     occurrences are merged
 * @param decision the supervisor's decision; null if it has not decided yet, or does not decide on
 *     such failures
 * @param delay before the next start; null if none was decided
 */
public record Failure(
    Instant at,
    Kind kind,
    String cause,
    @Nullable String stack,
    String node,
    int restarts,
    long times,
    @Nullable Directive decision,
    @Nullable Duration delay) {

  /** Characters of a cause. */
  public static final int MOST_CAUSE = 1_000;

  /** Characters of a stack. */
  public static final int MOST_STACK = Causes.MOST_STACK;

  /** Kind of a failure. */
  public enum Kind {
    /** A handler threw, or its future failed. */
    THROWN(true),
    /** A handler or its future did not complete within the turn timeout. */
    OVERDUE(true),
    /** A start failed. */
    START(true),
    /** A start did not complete within the start timeout. */
    START_OVERDUE(true),
    /** Code outside of a handler failed on the actor's context: a timer, a forgotten future. */
    OUTSIDE(true),
    /**
     * The actor blocks its thread for longer than its zone allows. It is not restarted meanwhile,
     * because two objects of an actor never run at the same time; if its handler returns too late,
     * it is {@link #OVERDUE} then.
     */
    BLOCKED(false),
    /** A failure zone could not handle a failure of its children, and so failed as a whole. */
    ESCALATED(true),
    /** A supervisor was undeployed from outside of the toolkit; its actors ended with it. */
    UNDEPLOYED(true),
    /** The node that ran it is lost without having released it; another node has taken over. */
    NODE_LOST(false),
    /** A message kept failing, or could not be read, and was parked; the actor goes on. */
    POISONED(false),
    /**
     * A snapshot of its state could not be written or read: the events since the previous one are
     * used.
     */
    SNAPSHOT(false),
    /** The effects of its turns could not be committed. */
    COMMIT(true),
    /**
     * A resource that the actor needs, such as the store, was unavailable. It is no fault of the
     * actor, and retried until the resource is available.
     */
    INTERRUPTED(true);

    private final boolean ends;

    Kind(boolean ends) {
      this.ends = ends;
    }

    /**
     * Returns whether a failure of this kind ends this life of the actor, so that its supervisor
     * decides.
     */
    public boolean endsLife() {
      return ends;
    }
  }

  /** Rejects nulls and truncates texts that are too long. */
  public Failure {
    Objects.requireNonNull(at, "at is null: give when it happened");
    Objects.requireNonNull(kind, "kind is null: give what went wrong");
    Objects.requireNonNull(cause, "cause is null: give the class and message of the cause");
    Objects.requireNonNull(node, "node is null: give where it happened");
    cause = Causes.cut(cause, MOST_CAUSE);
    stack = stack == null ? null : Causes.cut(stack, MOST_STACK);
  }

  /** Returns the failure by {@code cause}, not decided yet. */
  public static Failure of(Instant at, Kind kind, Throwable cause, String node, int restarts) {
    return new Failure(
        at,
        kind,
        Causes.text(cause, MOST_CAUSE),
        Causes.stack(cause),
        node,
        restarts,
        1,
        null,
        null);
  }

  /** Returns the failure by {@code cause} without its stack, whose text is expensive to make. */
  public static Failure brief(Instant at, Kind kind, Throwable cause, String node, int restarts) {
    return new Failure(
        at, kind, Causes.text(cause, MOST_CAUSE), null, node, restarts, 1, null, null);
  }

  /** Returns this failure with another stack; null for none. */
  public Failure withStack(@Nullable String told) {
    return new Failure(at, kind, cause, told, node, restarts, times, decision, delay);
  }

  /**
   * Returns whether the supervisor decided not to restart the actor or zone; false as long as it
   * has not decided.
   */
  public boolean isFatal() {
    return decision != null && decision != Directive.RESUME && decision != Directive.RESTART;
  }

  /** Returns this failure with the supervisor's decision. */
  public Failure decided(Directive directive, @Nullable Duration wait) {
    return new Failure(at, kind, cause, stack, node, restarts, times, directive, wait);
  }

  /** Returns this failure with one more occurrence, at {@code then}. */
  public Failure again(Instant then) {
    return new Failure(then, kind, cause, stack, node, restarts, times + 1, null, null);
  }

  /** Returns this failure without its stack. */
  public Failure withoutStack() {
    return stack == null ? this : withStack(null);
  }

  /** Returns class and message of a cause; see {@link Causes#text(Throwable)}. */
  public static String text(Throwable cause) {
    return Causes.text(cause);
  }
}
