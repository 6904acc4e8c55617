/**
 * Commands, answers, events and states of the actors that start instances. The start ledger keeps
 * brakes and weights of definitions durably; the start desk gives nodes permits to begin instances;
 * an intake actor turns one message into an instance. Beside these, the counts of nodes.
 *
 * <p>Nodes of different versions store these types and send them to each other, so names and fields
 * stay readable; a new component is nullable, with the meaning of null in its description.
 * Protocol, invariants and failure windows are those of {@link
 * io.callboard.workflows.internal.intake}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.internal.starts;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
