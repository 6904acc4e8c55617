/**
 * Scheduling zones: named pools of threads, so that no part of a program starves another.
 *
 * <p><b>One registry.</b> Vert.x keeps the first size of a named pool silently and drops the pool
 * with its last user; hence {@link io.callboard.internal.zone.Zones} makes all pools at the start
 * and holds them. It puts pools of its own under the names that a deployment's {@code
 * workerPoolName} looks up, one {@code ExecutorService} for each priority of a zone; a verticle is
 * deployed on one as on any worker pool, and its threads end with the last verticle in it, or with
 * the Vert.x. Threads are called {@code callboard-<node>-<zone>-<n>}. An actor is no deployment of
 * that kind: {@link io.callboard.internal.zone.Zones#context} makes a context for each of its
 * lives, which keeps the threads as a deployment would. {@code executeBlocking} of an actor in a
 * {@code fork-join} zone goes to the worker pool of the Vert.x, for the zone's threads are few. The
 * supervisors have a zone to themselves, which no actor can choose.
 *
 * <p><b>Slices.</b> A Vert.x worker context keeps its thread until its queue is empty. So what a
 * pool gets to run is all that a context has queued, up to that being empty; an actor's runner
 * keeps that short: it handles a slice of mail, bounded by number and time, and calls {@link
 * io.callboard.internal.zone.Zone#yield}. That must not queue on the context, whose thread would go
 * on with it, but puts a task at the end of the zone's queue; its turn queues the slice on the
 * context, and runs it at once on the thread that it has. An actor of a {@code fork-join} zone has
 * no queue of Vert.x's: its context runs on a {@link io.callboard.internal.zone.SerialExecutor},
 * which is what lies in the queues of the zone, and whose turn is bounded by number and time
 * whatever is queued on the context; there a yield is the end of the turn. Invariants: a context is
 * in the queue of its zone at most once, and once more while its actor yields; what it does is one
 * thing at a time, in order; in {@code fixed} and {@code elastic} zones an actor waits for no more
 * than one slice of each other actor, divided by the threads.
 *
 * <p><b>Kinds.</b> {@code event-loop} uses the loops of the Vert.x. {@code fixed} and {@code
 * elastic} are {@link io.callboard.internal.zone.ZonePool}: a lock, {@link
 * io.callboard.internal.zone.PriorityQueues} for the priorities, and threads, more of them before
 * anything waits. {@code fork-join} is {@link io.callboard.internal.zone.ForkJoinThreads}: in
 * asynchronous mode, for nobody joins a slice and last in, first out would starve the older; and
 * each eighth task of a thread lets one from outside of the pool go first, because two actors that
 * tell each other would else hold a thread for ever. What waits in the own queue of a thread is
 * only taken by one that has nothing else; so when a slice lasts from one look of the watchdog to
 * the next, all that waits is handed in again as from outside, of which each busy thread takes its
 * share. {@code virtual} is a thread a task. An executor given in code is not closed by us; if it
 * is shut down before the node, one spare thread does what is left, which is told as an error.
 *
 * <p><b>Awaiting.</b> {@code Future.await()} parks the thread of a context and lets another thread
 * do what that has queued, the end of the wait among it. Were that queued behind the parked threads
 * of a pool, all would wait for ever. So threads of {@code fixed} and {@code elastic} zones are
 * worker threads to Vert.x, which refuses with {@link java.lang.IllegalStateException}, as on event
 * loops: return a future, or use a {@code virtual} zone, where awaiting costs nothing. Actors of a
 * {@code fork-join} zone are refused the same by their {@link
 * io.callboard.internal.zone.SerialExecutor}. Threads of {@code executor} zones cannot be Vert.x's,
 * nor those of a {@code fork-join} zone, in which a plain verticle may be deployed; there a context
 * that waits goes on, until that ends, on a {@link io.callboard.internal.zone.SpareThreads spare}
 * thread of the zone, of which there are no more than {@link
 * io.callboard.zone.ZoneOptions#MAX_SIZE}; what is over is refused by them, as below. Other actors
 * get no thread for one that waits: what awaits an answer of an actor that has none fails when the
 * time for the answer is over.
 *
 * <p><b>Full.</b> A task of an actor's context must never be dropped, nor refused: Vert.x would
 * believe that it runs, and the actor would be dead for ever. Nor may the caller run it: that is a
 * sender, perhaps on an event loop, and the context would hold a lock. So tasks always wait, and
 * that is bounded already: by the number of actors, whose mail waits in bounded mailboxes that tell
 * their senders. {@code queue} is the number of waiting tasks from which on the zone is
 * <em>full</em>: told once in the log, and once when half of it is free again; counted ({@code
 * overflowed}); and with {@code whenFull: reject} pushed back to those who tell its volatile
 * actors, before anything is queued. What a given executor refuses, or would run on its caller, or
 * what the system has no thread for, is kept and offered again after each slice of the zone and by
 * the watchdog, counted ({@code rejected}) and told once. The thread at hand does the first of it
 * itself, and goes on so for up to 50 ms while the executor refuses the others: of an executor that
 * hands over directly it may be the only thread.
 *
 * <p><b>Measured</b> per task, not per message, at its hand-over, beginning and end: three readings
 * of the clock and a few counters. {@link io.callboard.internal.zone.ThreadState} is what a thread
 * does now.
 *
 * <p><b>Blocked threads.</b> One {@link io.callboard.internal.zone.Watchdog} a node looks at all
 * seats every 200 ms, and asks each event loop for a sign of life, so that a loop that something
 * else than an actor blocks is seen, too (by the zone {@code default}). {@link
 * io.callboard.internal.zone.BlockedThreads} decides what to tell: each blockage once with its
 * actor and stack, and its end once. Failure window: a blockage that begins and ends between two
 * looks after its limit is told up to 200 ms late; a loop that was blocked before the node's start
 * is seen when it was free once.
 *
 * <p>What zones cannot do: cores are shared. A handler that spins on as many threads as there are
 * cores slows all zones, as far as the operating system lets it; give such a zone fewer threads
 * than cores. Timers of Vert.x come from event loops: a handler that blocks one delays the timers
 * of actors that are on it. No event loop is in a restart: the supervisors have a timer and a zone
 * of their own, on which actors are deployed, too.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zone;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
