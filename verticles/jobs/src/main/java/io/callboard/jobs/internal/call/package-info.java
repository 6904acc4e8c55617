/**
 * Runs as calls of handlers in this JVM: who offers what, the call on a thread of its zone, what it
 * reports, and its end.
 *
 * <p>{@link io.callboard.grid.internal.thread.ThreadWait} is the wait for that thread; handlers of
 * steps and builders of workflows wait by it, too. The logs of all calls are written by turns, on
 * one worker thread. Callbacks of {@code cancelled()} are the application's, and may block: each
 * call has a worker context for them.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>A run id is called at most once by a boot, as far as the last {@value
 *       io.callboard.jobs.internal.call.HandlerRunner#MOST_CALLED} runs go: a grant is for one
 *       boot, and a late repetition of its request is refused.
 *   <li>A run ends when its code has returned and what it returned has completed, never before:
 *       code that ignores its cancellation keeps its slot, is interrupted again and again, and is
 *       reported with its stack.
 *   <li>A thread is interrupted only while it runs the code, and carries no interrupt out of it.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <ul>
 *   <li>The node dies: the run is lost, and the gate has it run again once the node's boot is over.
 *       So it is also if the code had returned and its job did not know it yet.
 *   <li>The node loses its session and lives on: its runs are cancelled, and the code may still go
 *       on for a while when the next run of its job begins elsewhere. {@code JobContext.epoch}
 *       tells them apart.
 * </ul>
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.internal.call;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
