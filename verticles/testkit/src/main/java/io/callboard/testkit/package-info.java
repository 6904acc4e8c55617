/**
 * For tests of actors and of stores.
 *
 * <ul>
 *   <li>One actor: {@link io.callboard.testkit.actor.TestedActor}.
 *   <li>Several actors, with faults by seed: {@link io.callboard.testkit.rehearsal.Rehearsal}.
 *   <li>Actors in a node: {@link io.callboard.testkit.CallboardExtension} gives it to a test,
 *       {@link io.callboard.testkit.Probe} talks with them, {@link io.callboard.testkit.ManualTime}
 *       moves their time, {@link io.callboard.testkit.LogCapture} reads their log, {@link
 *       io.callboard.testkit.Futures} waits for a future, {@link io.callboard.testkit.Eventually}
 *       for what nothing reports.
 *   <li>What is stored: {@link io.callboard.testkit.compat.ProtocolLock}.
 *   <li>A store of your own: {@link io.callboard.testkit.tck.StoreTck}, the contract it must keep.
 * </ul>
 *
 * <p><b>One actor, really.</b> {@link io.callboard.testkit.actor.TestedActor} runs its actor in a
 * node of its own, over a store in memory and by a time that stands still; what an actor may do is
 * decided there and nowhere else. An interceptor gives it an {@code ActorContext} that passes
 * everything on and records it, in order; the journal is read from the commits that reach the
 * store, and a failure from the rules of its supervision. The test stands for all others: what is
 * told to volatile actors goes to one that does nothing, asks are answered by the test, watches and
 * children are there in name. Every method of the context must be passed on, which a test checks.
 *
 * <p><b>Every turn twice.</b> A durable actor's handler may run again after a crash, so it may
 * depend on its state and message only. So each message is given to two objects, in two nodes. One
 * has handled all messages so far, so its fields are what they became; the other is started anew
 * from its own store before each thing that the test does, unless a turn is open. Both begin in the
 * same state, so whatever they do otherwise comes from elsewhere: fields from the past, statics and
 * random numbers from the order of the two, clocks because a millisecond is let pass between, also
 * between what follows from the answer to an ask. Invariants: asks of the two are paired by their
 * place in the turn and get one answer; only the first object's effects count, the second enlists
 * nothing and runs nothing after its commit. Not found: what is the same for both, as the date, or
 * a static that is only read.
 *
 * <p><b>Rehearsals.</b> {@link io.callboard.testkit.rehearsal.Rehearsal}: one node at a time over a
 * store in memory whose faults a seed decides, everything on one event loop and by a {@code
 * ManualTime}, so that a seed is always the same run. A death cuts the node off from the store and
 * closes it: what it still does has no effect there, as with a node that does not know yet that it
 * is lost.
 *
 * <p><b>Time by hand.</b> {@link io.callboard.testkit.ManualTime} does what is due moment by
 * moment, each task on its context, and waits for it there. {@link io.callboard.testkit.Stillness}
 * then waits until the node has come to rest, so that what the task caused, timers among it, is
 * known before the next moment. A node is at rest if in three rounds over its event loops each had
 * nothing queued, no zone had a slice, and no count grew. Failure windows: what hops from loop to
 * loop behind the look at them, three times over, is taken for rest; work outside of the node's
 * loops and zones (the user's threads, other processes, Vert.x's worker pool) is not seen; what it
 * causes comes after {@code advance} has returned, at whatever time it is then.
 */
@NullMarked
package io.callboard.testkit;

import org.jspecify.annotations.NullMarked;
