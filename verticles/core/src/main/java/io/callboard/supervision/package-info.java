/**
 * What happens when an actor fails: {@link io.callboard.supervision.Supervisor} decides for one
 * actor, without I/O; {@link io.callboard.supervision.SupervisorVerticle} carries the decisions out
 * in a zone of its own.
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
 *
 * <h2>Failure zones</h2>
 *
 * <p>{@link io.callboard.supervision.ZoneSupervisor} is the machine of a failure zone ({@link
 * io.callboard.supervision.FailureZone}): children in the order of their starts, which may be
 * failure zones themselves. No verticle carries it yet: the actors of a node are one for one below
 * its root.
 *
 * <h3>Protocol</h3>
 *
 * <p>To the machine a child is a life that begins with {@code Start}. It is told how that went on:
 * {@code started}; or {@code failed}, {@code ended} by itself, {@code interrupted} or (a zone)
 * {@code rests}, when nothing of the child is left. After {@code Stop} only {@code stopped} counts,
 * which comes within a bounded time. A zone tells the one above in the same words: {@code Up} is
 * started, {@code Escalate} failed, {@code Ended} ended or stopped, {@code RestAll} rests; each of
 * these but the first when nothing of the zone is left. A new life of a zone has a new machine:
 * what was held against the last one is forgotten.
 *
 * <p>A failure is decided by the {@link io.callboard.supervision.Rules}. A restart counts in the
 * windows of the child and of the zone; over one of them the {@link
 * io.callboard.supervision.LimitAction} follows. The group that the {@link
 * io.callboard.supervision.Strategy} names is stopped in the reverse order, waits for the backoff,
 * and is started in order, one after the other. Where children are independent (one for one) a
 * start waits only for the first outcome of the one before. What needs a child that rests waits
 * with it. The first three forms are those of Erlang/OTP ("Supervision Principles"), with a delay,
 * and with {@code PARK}.
 *
 * <h3>Invariants</h3>
 *
 * <p>Z1: a child has one life at a time. Z2: where children need each other, one is started when
 * all before it are up and nothing behind it is left. Z3: stops are asked for in the reverse order,
 * one at a time. Z4: a zone tells its end when nothing of it is left. Z5: after quiet each child is
 * up that is wanted and waits for none that rests. Rehearsed by {@code ZoneRehearsalTest}.
 *
 * <h3>Failure windows</h3>
 *
 * <p>A child fails while it is about to be stopped with others: it is gone, and is not counted. It
 * fails after it was told to stop: its stop is told, too, and only that counts. A zone is told to
 * end while it is on its way to escalate: it ends. A second child fails while the group of the
 * first waits: the group is what both need, the later time counts.
 */
@NullMarked
@CheckReturnValue
package io.callboard.supervision;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
