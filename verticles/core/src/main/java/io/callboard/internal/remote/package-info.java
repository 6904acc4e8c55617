/**
 * Questions of operators between the nodes of a cell: roll-ups, single actors, what is in failure
 * zones, and what is to be done with them.
 *
 * <p>A question is a request on the event bus, to an address that has the boot id of the node, so
 * that a node which starts again is another. Both sides are JSON with a format version ({@code f}).
 * Limits: 16 questions under way at a node, without those that share a reading, more are refused; 2
 * s for an answer, which has at most 256 KiB. What is in failure zones is read for up to 16
 * different sets of up to 20 zones at the same time, up to 100 rows of each zone, and fewer if the
 * answer has no room for them. Nothing is repeated: who asks, asks again. An answer that is lost,
 * of an action too, is reported to who asked; whether the action was carried out is then to be seen
 * in the actor's state.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.remote;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
