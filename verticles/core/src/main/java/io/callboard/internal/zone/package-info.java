/**
 * Threads of scheduling zones: pools, fork-join pools, event loops, and the watch of blocked
 * threads.
 *
 * <h2>One registry</h2>
 *
 * <p>Vert.x keeps the first size of a named pool silently and drops the pool with its last user;
 * hence {@link Zones} makes all pools at the start and holds them. It puts pools of its own under
 * the names that a deployment's {@code workerPoolName} looks up, one {@code ExecutorService} for
 * each priority of a zone; a verticle is deployed on one as on any worker pool, and its threads end
 * with the last verticle in it, or with the Vert.x. An actor is no such deployment: {@link
 * Zones#context} makes a context for each of its lives, which keeps the threads as a deployment
 * would.
 *
 * <h2>Slices</h2>
 *
 * <p>A Vert.x worker context keeps its thread until its queue is empty, so a pool task runs
 * everything that a context has queued. An actor's runner keeps that short: it handles a slice of
 * mail, bounded by number and time, and calls {@link Zone#yield}. That must not queue on the
 * context, whose thread would go on with it, but puts a task at the end of the zone's queue; its
 * turn queues the slice on the context, and runs it at once on its own thread. An actor of a {@code
 * fork-join} zone has no queue of Vert.x: its context runs on a {@link SerialExecutor}, which
 * itself lies in the queues of the zone and whose turn is bounded by number and time whatever is
 * queued on the context; there a yield is the end of the turn. Invariants: a context is in the
 * queue of its zone at most once, and once more while its actor yields; it does one thing at a
 * time, in order.
 *
 * <h2>Kinds</h2>
 *
 * <p>{@link ZonePool} ({@code fixed}, {@code elastic}): a lock, {@link PriorityQueues}, and
 * threads, more of them before anything waits. {@link ForkJoinThreads}: in asynchronous mode,
 * because no slice is joined and last in, first out would starve the older; each eighth task of a
 * thread lets one from outside of the pool go first, because two actors that tell each other would
 * otherwise hold a thread for ever. A task in a thread's own queue is taken by others only when
 * they are idle; so when a slice lasts from one look of the watchdog to the next, all waiting tasks
 * are handed in again as from outside, of which each busy thread takes its share. {@link
 * GivenExecutor}: if it is shut down before the node, one spare thread runs the rest, which is
 * logged as an error.
 *
 * <h2>Measurements and blocked threads</h2>
 *
 * <p>Tasks, not messages, are measured at hand-over, beginning and end: three readings of the clock
 * and a few counters ({@link ZoneMeter}). {@link ThreadState} is the present work of a thread. One
 * {@link Watchdog} a node looks at all of them every 200 ms and probes each event loop, so that a
 * loop blocked by something other than an actor is seen, too (reported by the zone {@code
 * event-loop}, else by the first zone of that kind). {@link BlockedThreads} reports each blockage
 * once with its actor and stack, and its end once. Failure window: a blockage whose limit passes
 * between two looks is reported up to 200 ms late; a loop that was blocked before the node's start
 * is seen once it has been free.
 *
 * <p>What happens to a task whose thread awaits a future, that a full zone refuses, or that comes
 * after the end of its zone, is in {@code bootstrap/docs/design/zone-threads.md}: it waits ({@link
 * RejectedTasks}) or runs on {@link SpareThreads}, and is never dropped.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.zone;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
