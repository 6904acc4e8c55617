/**
 * Records and acts of operators: what runs on a node and in its cell, counts and metrics, and
 * {@link io.callboard.admin.CallboardAdmin}, which reads and changes them.
 *
 * <p>A record is a snapshot of the moment when it was asked for. Counts begin at 0 with the node.
 *
 * <p><b>Invariant.</b> A parked message is replayed or discarded once, in one commit; whoever comes
 * second is refused.
 *
 * <p><b>Failure windows.</b> The node dies after an act and before its answer: what is stored (a
 * parked message, the state of a corrected actor) is done. That an operator stopped a durable actor
 * is stored when its life has ended: if the node dies before, the actor runs again elsewhere.
 */
@NullMarked
@CheckReturnValue
package io.callboard.admin;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
