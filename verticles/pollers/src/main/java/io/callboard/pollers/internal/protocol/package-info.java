/**
 * Messages, events and states of sources.
 *
 * <p>All of it is stored or sent between nodes of different versions, so names and fields stay
 * readable; a new component is nullable, with the meaning of null in its description. Protocol,
 * invariants and failure windows are those of {@link io.callboard.pollers.internal.poll}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.pollers.internal.protocol;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
