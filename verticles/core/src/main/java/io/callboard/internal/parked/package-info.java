/**
 * Operations on parked messages: list, edit, replay, discard.
 *
 * <p>{@link ParkedMessages} replays a message: one commit removes it from where it is parked and
 * puts it into its actor's mailbox under a new id. {@link BulkReplayRun} does so with all that
 * match a filter, at a rate, up to {@value BulkReplayRun#MOST} in the order in which they came. Any
 * node may do both; no lease is needed (S5 of {@link io.callboard.store}). {@link MailboxPeek}
 * shows what waits, without handling it.
 *
 * <p><b>Invariants.</b> A parked message goes once: whoever comes second is refused ({@code
 * CONFLICT}, or {@code NO_SUCH_MESSAGE} if it is known to be gone). A body that the actor cannot
 * read is refused where this node knows the actor. A large message is replayed only if its body is
 * whole in the blob log.
 *
 * <p><b>Failure windows.</b> The node dies before the commit: the message is parked as before. The
 * outcome of the commit is unknown: it is settled by the node's commit number, as any other. A bulk
 * replay ends with its node; what it has not reached stays parked. A message that cannot be
 * replayed is left out, and stays parked.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.parked;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
