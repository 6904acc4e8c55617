/**
 * Messages, events and states of what starts instances: start ledger, start desk, messages, and
 * what nodes count.
 *
 * <p>All of it is stored or sent between nodes of different versions, so names and fields stay
 * readable; a new component is nullable, with the meaning of null in its description. Protocol,
 * invariants and failure windows are those of {@link io.callboard.workflows.internal.intake}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.starts;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
