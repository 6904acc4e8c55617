/**
 * What happens when an actor fails. A supervisor with its children is a {@link
 * io.callboard.supervision.FailureZone}; zones within zones make a tree, with {@link
 * io.callboard.internal.supervisor.RootSupervisor} at its root.
 *
 * <p>{@link io.callboard.internal.supervisor.FailureZoneMachine} is the machine without I/O of one
 * zone: it says which children are to be started and stopped, and when. {@link
 * io.callboard.internal.supervisor.FailureZoneDriver} does that, on the context of a verticle in
 * the supervision zone, where no busy zone can delay a restart. {@link
 * io.callboard.internal.supervisor.FailureZoneRunner} is a zone over all its lives, of which each
 * is a {@link io.callboard.internal.supervisor.FailureZoneVerticle} below that of the zone above.
 * The root carries one machine for each actor that is in no zone, made at its first failure: of an
 * actor that has not failed nothing is kept.
 *
 * <p>Every failure arrives as one kind of event ({@link io.callboard.supervision.Failure}): a
 * handler that throws or whose future fails or never ends, a start that fails or never ends, an
 * exception in the actor's context, a commit that failed, a supervisor that was undeployed. What an
 * actor is not to blame for arrives as another: the store cannot be reached, or what was read of it
 * is not current any more. Then its actor is tried again until it runs, after a backoff of its own
 * (200 ms doubling to 5 s), and neither intensity nor the other backoff change.
 *
 * <p>Two budgets are never mixed: attempts of a <em>message</em> (then it is parked), restarts of
 * an <em>actor</em> (then the limit action follows).
 *
 * <h3>Protocol</h3>
 *
 * <p>To the machine a child is a life that begins with {@code Start}. It is told how that went on:
 * {@code started}; or {@code failed}, {@code ended} by itself, {@code interrupted} or (a zone)
 * {@code rests}, when nothing of the child is left. After {@code Stop} only {@code stopped} counts,
 * which comes within a bounded time. A zone tells the one above in the same words: {@code Up} is
 * started, {@code Escalate} failed, {@code Ended} ended or stopped, {@code RestAll} rests; each of
 * these but the first when nothing of the zone is left. A new life of a zone has a new machine:
 * what was held against the last one is forgotten. The runner of an actor tells nothing of a life
 * whose end its supervisor asked for, but that it is gone; so what is told late is of no harm.
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
 * up that is wanted and waits for none that rests. Z6: while a zone rests none of its children says
 * that it runs, or when it is tried again; each says what must be resumed. Z7: what an operator
 * stopped begins in no life of its zone before it is resumed. Rehearsed by {@code
 * ZoneRehearsalTest}.
 *
 * <h3>Failure windows</h3>
 *
 * <p>A child fails while it is about to be stopped with others: it is gone, and is not counted. It
 * fails after it was told to stop: its stop is told, too, and only that counts. A zone is told to
 * end while it is on its way to escalate: it ends. A second child fails while the group of the
 * first waits: the group is what both need, the later time counts. Somebody else undeploys a
 * supervisor: its actors end first, as Vert.x has it; then it has failed in the zone above, which
 * starts it again. If it is that of the root, the node closes. The supervisor above is undeployed,
 * too: what it is told then nobody hears, and its own end tells that nothing is left. An actor
 * stops itself while its zone restarts it: it is gone for its program, and its zone forgets it.
 *
 * <p>An actor that stopped itself has no further life, also where its zone was about to start it
 * again with others: it is done. Its path may be another's by then, so what is told of one object
 * never counts for the next of that name. An actor's failure and that it may be begun again are
 * told as one: else who begins it between the two would see the new life fail. Vert.x refuses to
 * undeploy what is being undeployed, and leaves what is above half undeployed: a zone whose
 * children were ended by Vert.x is undeployed again until its own stop was called.
 */
@NullMarked
@CheckReturnValue
package io.callboard.supervision;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
