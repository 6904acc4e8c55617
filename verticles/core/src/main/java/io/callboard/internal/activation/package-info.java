/**
 * Durable actors in the memory of this node: activated by mail, swept, passivated, disowned.
 *
 * <p>{@link DurableActors} holds the spawned and hosted actors. {@link MailActivator} starts those
 * that have mail, {@link OwnedPartitions} reports to them the fate of their partitions, {@link
 * StoreEvents} brings the events of the store. On the durable context.
 *
 * <p><b>Invariants.</b> An actor in memory here is in a partition that this node owned when it was
 * loaded, and begins no turn once the node knows that it lost that. Mail for a hosted actor starts
 * it within a sweep, whatever hint was lost. An actor with timers, a stash or an outbox stays in
 * memory.
 *
 * <p>Actors that a sweep finds, by mail, timers or an outbox, start behind those that somebody
 * sends to now: one of either by turns ({@link io.callboard.internal.context.WeightedLimiter}), so
 * that thousands that are due at once, after the node was down, hold up nobody's asks. One of them
 * that gets a message meanwhile is behind no longer.
 *
 * <h2>The doorbell ladder</h2>
 *
 * <p>Mail is found by a ladder of hints ({@code Doorbell}); each rung may fail, the last does not.
 *
 * <ul>
 *   <li>Mail that a commit of this node put into a mailbox of its own is handed to the loop; mail
 *       of another node's actors is pushed there ({@link PushSender}), up to {@link
 *       io.callboard.internal.link.Push#MOST_BYTES}. A segment that is the next in order is handled
 *       without a read; any other push is only a hint that there is more.
 *   <li>The store's watch reports each new segment. Where pushes have come in time, the doorbell
 *       waits some milliseconds for the push of this one, as long as each wait brings one;
 *       otherwise the mail is read at once, until a push comes before its segment was read.
 *   <li>Every sweep looks ({@link MailSweep}), also when it could not read the leases.
 * </ul>
 *
 * <p>Why a push may be trusted, and what happens to direct mail when a node dies, is in {@code
 * bootstrap/docs/design/pushed-mail.md}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.activation;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
