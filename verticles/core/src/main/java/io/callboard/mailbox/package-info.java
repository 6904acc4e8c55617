/**
 * What waits in memory: {@link io.callboard.mailbox.Delivery}, a message on its way to a handler,
 * and {@link io.callboard.mailbox.VolatileMailbox}, the bounded queue of an actor without durable
 * mail.
 */
@NullMarked
@CheckReturnValue
package io.callboard.mailbox;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
