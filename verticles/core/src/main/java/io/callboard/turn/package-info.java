/**
 * The turn loop: what runs one actor.
 *
 * <h2>Durable actors</h2>
 *
 * <p>{@link io.callboard.turn.TurnLoop} is the machine: it holds what is known of one actor (its
 * record, the mail read ahead) and says what to do next: read, handle, commit, park. {@link
 * io.callboard.turn.DurableRunner} carries it. All machines of a node run on one event-loop
 * context, the <em>durable context</em>, so they need no locks; handlers run on the actor's own
 * context in its zone.
 *
 * <p>Messages are handled one after the other against the state as of the one before; up to {@link
 * io.callboard.turn.TurnLoop#BATCH} of them commit together. A failing message ends its batch:
 * those before it commit, its own effects never existed.
 *
 * <p><b>Invariants.</b> T1: a handler sees the state of the last commit plus the messages handled
 * since, in mailbox order. T2: one handler of an actor at a time, in one node. T3: nothing leaves
 * the actor before its turn's commit. T4: a message is consumed by the commit that holds its
 * effects, or by the one that parks it.
 *
 * <p><b>Failure windows.</b> Node dies before the commit: nothing happened, the next owner handles
 * the message. After it, before the answer left: the asker times out, the effects are there. Owner
 * replaced while handling: the commit is FENCED, the loop is dropped with its state. Handler fails:
 * attempts are counted in memory; the message is tried again by a new object after the backoff, and
 * parked with its cause after {@link io.callboard.ActorOptions#attempts()}.
 *
 * <h2>Volatile actors</h2>
 *
 * <p>{@link io.callboard.turn.VolatileRunner} drains the actor's queue in slices on its own
 * context; a message is gone when its handler has begun.
 *
 * <h2>The node</h2>
 *
 * <p>{@link io.callboard.turn.CallboardRuntime} is the front door's implementation; {@link
 * io.callboard.turn.Ownership} claims partitions; {@link io.callboard.turn.Asks} and {@link
 * io.callboard.turn.BusGate} connect to the event bus. {@link io.callboard.turn.ParkedMessages}
 * moves parked messages back, or throws them away.
 *
 * <p>What the store's access control denies is not tried again: the actor rests with the cause, a
 * partition is not claimed until an operator resumes an actor of it, and {@link
 * io.callboard.turn.Denials} tells once and makes the node not ready. Only what is looked at anyway
 * (the leases, the mail) is looked at again, which is how a right given back is noticed.
 */
@NullMarked
@CheckReturnValue
package io.callboard.turn;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
