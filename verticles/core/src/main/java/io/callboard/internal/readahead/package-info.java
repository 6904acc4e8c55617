/**
 * Mail of one durable actor ahead of its handling: what of its mailbox is in memory, in which order
 * it is handled, and what is known of the rest. Machines without I/O; what was read, and what
 * commits consumed, is reported to them by {@link io.callboard.internal.turn}.
 *
 * <p>{@link ReadAhead} holds the {@link MailboxMessage messages} that were read or handed over, in
 * {@link PriorityLanes}, up to a limit; further mail stays in the store. {@link Doorbell} learns of
 * mail by a ladder of hints: the commit that wrote it (hand-over or push), the store's watch, the
 * sweep ({@link io.callboard.internal.activation}). {@link Backlog} counts what waits in the
 * mailbox, and derives the header by which senders see whether it is full.
 *
 * <p>The consumed part of a mailbox is everything before one place, and stretches beyond it ({@link
 * io.callboard.store.Consumed}): messages of a higher priority overtake others, stashed ones stay
 * where they are. A segment is deleted with its last message; until then {@link PartialSegments}
 * counts those of it that are consumed, since senders count whole segments. Priorities apply to
 * mail in memory, each lane in mailbox order; while there are too many stretches, mail is handled
 * in mailbox order.
 *
 * <p><b>Invariants.</b> R1: no message of the mailbox is skipped: a segment is taken only if it
 * follows the last one, and a gap is reported as lost mail. R2: a message is in memory once,
 * whether it was read, handed over or pushed. R3: after a hint of a segment that is not in memory
 * the mailbox is read, or the segment's push is awaited, for a limited time. R4: what is in memory
 * is bounded in messages and bytes.
 *
 * <p><b>Failure windows.</b> Every hint of a segment is lost: the sweep finds it. The life ends, or
 * the owner is replaced: what is in memory is dropped, and the next life reads it from the store.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.readahead;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
