/**
 * Mail in memory: {@link io.callboard.internal.mailbox.Delivery}, a message on its way to a
 * handler, and {@link io.callboard.internal.mailbox.VolatileMailbox}, the bounded queue of an actor
 * without durable mail.
 *
 * <p>Many senders add to a mailbox, one consumer takes from it, a queue for each priority: without
 * locks (JCTools) unless it drops its oldest message. {@link
 * io.callboard.internal.mailbox.Envelopes} makes what is stored of a message to a durable actor,
 * within its limits.
 *
 * <p><b>Invariants.</b> Each priority is in order. Beyond the limit, which senders at one moment
 * may exceed by one each, the sender is refused, or the oldest message makes room, as its actor
 * chose. A {@link io.callboard.internal.mailbox.Reply} is used once.
 *
 * <p><b>Failure window.</b> The process ends: the mail in memory is gone, and askers time out.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.mailbox;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
