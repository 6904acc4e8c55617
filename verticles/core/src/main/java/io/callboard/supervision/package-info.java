/**
 * What happens when an actor fails: {@link io.callboard.supervision.Supervisor} decides, without
 * I/O; {@link io.callboard.supervision.SupervisorVerticle} carries the decisions out in a zone of
 * its own.
 *
 * <p>Every failure arrives as one kind of event: a handler that throws or whose future fails or
 * never ends, a start that fails or never ends, an exception in the actor's context. Its actor is
 * started again, as a new object, after a {@link io.callboard.supervision.Backoff} that grows with
 * consecutive failures and falls back after a healthy period. More failures than the intensity
 * allows within its sliding window: the actor is put to rest as FAILED, its mail stays, until it is
 * resumed or its node starts again.
 *
 * <p>What an actor is not to blame for arrives as another kind of event: the store cannot be
 * reached, or what was read of it is not current any more. Then its actor is tried again until it
 * runs, after a backoff of its own (200 ms doubling to 5 s), and neither intensity nor the other
 * backoff change.
 *
 * <p>Two budgets are never mixed: attempts of a <em>message</em> (then it is parked), restarts of
 * an <em>actor</em> (then it rests).
 */
@NullMarked
@CheckReturnValue
package io.callboard.supervision;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
