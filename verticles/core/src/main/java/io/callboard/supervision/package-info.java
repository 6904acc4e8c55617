/**
 * Supervision policy as values: what happens when an actor fails.
 *
 * <p>A supervisor with its children is a {@link io.callboard.supervision.FailureZone}; zones within
 * zones make a tree, and the node has its root. The supervisors of the node carry the policy out,
 * in a scheduling zone of their own, where no busy zone can delay a restart.
 *
 * <h2>Failures</h2>
 *
 * <p>Every failure arrives as one kind of event ({@link io.callboard.supervision.Failure}): a
 * handler that throws or whose future fails or never ends, a start that fails or never ends, an
 * exception in the actor's context, a commit that failed, a supervisor that was undeployed.
 * Failures for which the actor is not to blame are another kind: the store cannot be reached, or
 * data read from it is no longer current. Then the actor is tried again until it runs, after a
 * backoff of its own (200 ms doubling to 5 s), and neither intensity nor the other backoff change.
 *
 * <p>Two budgets are never mixed: attempts of a <em>message</em> (then it is parked), restarts of
 * an <em>actor</em> (then the limit action follows).
 *
 * <h2>Policy</h2>
 *
 * <p>A failure is decided by the {@link io.callboard.supervision.Rules}. A restart counts in the
 * windows of the child and of the zone; when one of them is exceeded, the {@link
 * io.callboard.supervision.LimitAction} follows. The group that the {@link
 * io.callboard.supervision.Strategy} names is stopped in the reverse order, waits for the backoff,
 * and is started in order, one after the other. Where children are independent (one for one), a
 * start waits only for the first outcome of the one before. A child that needs one that rests waits
 * with it. The first three forms are those of Erlang/OTP ("Supervision Principles"), with a delay,
 * and with {@code PARK}.
 *
 * <p>An actor that stopped itself has no further life, also where its zone was about to start it
 * again with others.
 *
 * <p><b>Invariants.</b> Policies are immutable values: one may be given to many actors. What the
 * actor is not to blame for is counted in no window.
 *
 * <p><b>Failure window.</b> Counts and backoffs are kept in memory and end with the node: on the
 * next one an actor begins with none. How a durable actor failed, and that an operator stopped it,
 * is stored.
 */
@NullMarked
@CheckReturnValue
package io.callboard.supervision;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
