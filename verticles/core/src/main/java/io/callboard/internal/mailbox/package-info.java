/**
 * What waits in memory: {@link io.callboard.internal.mailbox.Delivery}, a message on its way to a
 * handler, and {@link io.callboard.internal.mailbox.VolatileMailbox}, the bounded queue of an actor
 * without durable mail.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.mailbox;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
