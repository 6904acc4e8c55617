/**
 * Pollers: messages of other systems become workflows, jobs and mail, and are acknowledged. {@link
 * io.callboard.pollers.Sources} is the front; {@link io.callboard.pollers.config} describes the
 * configuration, {@link io.callboard.pollers.source} how a kind of source is made, {@code
 * io.callboard.pollers.internal.poll} the protocol.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
