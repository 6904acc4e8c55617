/**
 * Test kit for actors and for stores: nodes, probes, time by hand, captured logs.
 *
 * <ul>
 *   <li>One actor: {@link io.callboard.testkit.actor.TestedActor}.
 *   <li>Several actors, with faults by seed: {@link io.callboard.testkit.rehearsal.Rehearsal}.
 *   <li>Actors in a node: {@link io.callboard.testkit.CallboardExtension} gives it to a test,
 *       {@link io.callboard.testkit.Probe} talks with them, {@link io.callboard.testkit.ManualTime}
 *       moves their time, {@link io.callboard.testkit.LogCapture} reads their log, {@link
 *       io.callboard.testkit.Futures} waits for a future, {@link io.callboard.testkit.Waits} for
 *       latches, queues and processes, {@link io.callboard.testkit.Eventually} for conditions that
 *       nothing reports. {@link io.callboard.testkit.SampleActors} are there where it does not
 *       matter what an actor does, {@link io.callboard.testkit.Intercepted} stands in front of a
 *       store or another object.
 *   <li>Compatibility of stored data: {@link io.callboard.testkit.compat.ProtocolLock}, {@link
 *       io.callboard.testkit.compat.GoldenEvents}.
 *   <li>A store of your own: {@link io.callboard.testkit.tck.StoreTck}, the contract it must keep.
 * </ul>
 *
 * <p><b>Manual time.</b> {@link io.callboard.testkit.ManualTime} runs what is due moment by moment,
 * each task on its context, and waits for it there. {@link io.callboard.testkit.Stillness} then
 * waits until the node has come to rest, so that the effects of the task, timers among them, are
 * known before the next moment. A node is at rest if in three rounds over its event loops each had
 * nothing queued, no zone had a slice, and no count grew.
 *
 * <p><b>Failure windows.</b> Work that moves from loop to loop, each time to one that was just
 * checked, in all three rounds, is taken for rest. Work outside of the node's loops and zones (the
 * user's threads, other processes, Vert.x's worker pool) is not seen; its effects come after {@code
 * advance} has returned, at whatever time it is then.
 */
@NullMarked
package io.callboard.testkit;

import org.jspecify.annotations.NullMarked;
