/**
 * Actors of work pulling: the worker registry with its desk, the workers of the nodes and their
 * attempts, and what runs {@code http} steps. They carry out what {@link
 * io.callboard.workflows.internal.dispatch} decides, where protocol, invariants and failure windows
 * are.
 *
 * <pre>
 * instance ─ StepDispatch → DeskClient (one a node) ─ ask → DeskActor (volatile, one a cell)
 *            WorkerRegistry (durable, role) ← epoch, boots ─┘      ↓ orders   ↑ news
 *                                             WorkerActor (volatile, one a node)
 *                                               ↓ spawns            ↑ over
 *                                             AttemptActor (volatile, one an attempt, zone steps or
 *                                               that of its handler)
 * instance ← StepReports ─ WorkerActor, DeskActor
 * </pre>
 *
 * <p>An attempt reads the large outputs that its step sees before it calls the code, and stores a
 * large output before it is over ({@link io.callboard.workflows.internal.output}): no message of
 * work pulling has one. It reads in its zone, where the code is called then; that its output is
 * stored is heard on an event loop, because another handler may hold the threads of the zone.
 *
 * <p>Messages are collected while others wait: requests in {@code DeskClient}, orders in {@code
 * DeskActor}, news in {@code WorkerActor}. A worker has one timer for all its runs.
 *
 * <p>The handler of a step is called in an actor of its own, in the zone {@code steps} or in the
 * one that it was registered with; its exception is the failure of the attempt. An attempt that its
 * zone refuses, or that gets no thread in time, has not begun: its run is given back. Whether its
 * code is called is decided once, in {@code ThreadWait}, by who comes first: the actor with a
 * thread, or the worker, whose tick limits the wait for both the start of the actor and its
 * message. What is to end and has not begun is over at once. A zone of handlers that is full is
 * offered with no slots until it is not any more, which is looked at with each tick. An attempt
 * that does not end when it is cancelled is stopped with its actor: a handler that blocks its
 * thread is abandoned then, and what it returns does not count.
 *
 * <p>An actor that ends does not end the code that it called: that is asked to end, and a run is
 * over for the desk only when its code has ended, or had {@code CANCEL_GRACE} since it was first
 * asked ({@code RunningCode}). So the next life of a worker starts, and a worker that stops says
 * good-bye, after that.
 *
 * <p><b>Failure windows.</b> A worker's actor restarts: its attempts are stopped, and its runs
 * lost. Its node has lost its session for longer than the others wait: they run its steps, though
 * its code may not have ended. The desk restarts: it gets another epoch from the worker registry
 * whose child it is, and begins with what workers and instances tell it; a desk whose registry was
 * replaced gets none.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.worker;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
