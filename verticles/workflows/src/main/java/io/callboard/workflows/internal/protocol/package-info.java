/**
 * Messages, events and states of the actors of the workflow engine, and the ports between an
 * instance and what runs its steps.
 *
 * <h2>Protocol of a run</h2>
 *
 * <p>An instance starts a step by an event of its own, which gives the run its number: 1, 2, 3… for
 * each step, never reused. After that commit it requests the run from {@link
 * io.callboard.workflows.internal.protocol.StepDispatch}, and repeats the request until it is
 * queued, at each start of the instance and whenever another desk has taken over. Requests are
 * idempotent by {@link io.callboard.workflows.internal.protocol.StepRunKey}. What runs the step
 * reports through {@link io.callboard.workflows.internal.protocol.StepReports}: accepted (in memory
 * only), done or lost. A report whose future has succeeded is durable and need not be repeated. The
 * instance ignores reports of other runs than the present one, so repeated and late ones do no
 * harm.
 *
 * <p>A run is lost when it is certain that it does not run any more and never will, and how it
 * ended is unknown. The instance starts the next run of the same attempt then. A cancelled run is
 * reported done, as CANCELLED or as it ended meanwhile.
 *
 * <p><b>Invariants.</b> P1: all of it is stored or sent between nodes of different versions, so
 * names and fields stay readable; a new component is nullable, with the meaning of null in its
 * description. P2: a run is requested only after the commit that started it. P3: a step has one run
 * at a time that is neither done nor lost.
 *
 * <p><b>Failure windows.</b> A node dies between the commit and the request: the next life of the
 * instance requests the run. A desk dies with the request: the next one is asked again. A worker
 * dies with a result that was not durable: the run is lost, and the step runs again with the same
 * idempotency key.
 *
 * <p>Size: messages and values, a file each.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.protocol;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
