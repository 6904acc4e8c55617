/**
 * The way of a message: to a mailbox in memory, to a durable mailbox, to another node; asks, death
 * watch and dead letters.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.messaging;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
