/**
 * Scheduling zones: named pools of threads, so that no part of a program starves another.
 *
 * <p>An actor handles its mail in slices, after each of which it goes to the end of its zone's
 * queue. Threads are called {@code callboard-<node>-<zone>-<n>}. The supervisors have a zone to
 * themselves, which no actor can choose.
 *
 * <p><b>Kinds</b> ({@link io.callboard.zone.ZoneOptions.Kind}). {@code event-loop} uses the loops
 * of the Vert.x. {@code fixed} and {@code elastic} are pools with priorities. {@code fork-join}
 * steals work. {@code virtual} has one thread a task. An executor given in code is not closed by
 * the node. {@code executeBlocking} of an actor in a {@code fork-join} zone goes to the worker pool
 * of the Vert.x, because the zone has few threads. In {@code fixed} and {@code elastic} zones an
 * actor waits for no more than one slice of each other actor, divided by the threads.
 *
 * <p><b>Awaiting.</b> {@code Future.await()} fails with {@link java.lang.IllegalStateException} in
 * {@code event-loop}, {@code fixed} and {@code elastic} zones, and for actors of {@code fork-join}
 * zones: return a future, or use a {@code virtual} zone, where awaiting costs nothing. In {@code
 * executor} zones, and for plain verticles in {@code fork-join} zones, a context that awaits goes
 * on on a spare thread, of which there are at most {@link io.callboard.zone.ZoneOptions#MAX_SIZE}.
 * Other actors get no thread for one that waits: an await for the answer of an actor without a
 * thread fails at its timeout.
 *
 * <p><b>Full.</b> Slices always wait and are never dropped. {@code queue} is the number of waiting
 * slices from which on the zone is <em>full</em>: logged once, and once when half of it is free
 * again; counted ({@code overflowed}); with {@code whenFull: reject} it is pushed back to those who
 * tell its volatile actors, before anything is queued.
 *
 * <p><b>Blocked threads</b> are logged once per blockage with actor and stack, and once at its end.
 *
 * <p><b>Invariants.</b> An actor does one thing at a time, in the order of its mail, on threads of
 * its zone and no others. No slice is dropped.
 *
 * <p><b>Limits and failure windows.</b> Cores are shared: a handler that spins on as many threads
 * as there are cores slows all zones, as far as the operating system lets it; give such a zone
 * fewer threads than cores. Timers of Vert.x come from event loops: a handler that blocks one
 * delays the timers of actors that are on it. Restarts use no event loop: the supervisors have a
 * timer and a zone of their own, on which actors are deployed, too.
 */
@NullMarked
@CheckReturnValue
package io.callboard.zone;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
