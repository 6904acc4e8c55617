/**
 * Facts and groups of this node in the cell: publishes its own, reads those of the other members,
 * and reports events of the cell.
 *
 * <p>{@link MemberFacts} publishes the facts of this node; {@link CellEvents} notifies listeners of
 * changes in the cell; {@link CellBroadcasts} has the broadcasts by their names.
 *
 * <h2>Groups</h2>
 *
 * <p>{@link Groups} publishes the group members of this node as one fact, in the format of {@link
 * GroupMembership}, and reads the facts of the others whenever the members of the cell change. A
 * fact is published shortly after the first of a burst of changes.
 *
 * <p><b>Invariants.</b> M1: an actor is listed from its start until its end, until it is given up,
 * or until its node's end, and by each node that runs it. M2: the fact published last is the one
 * that was true then; a fact that could not be published is published again. M3: a listener gets
 * the last of any changes.
 *
 * <p><b>Failure windows.</b> A volatile actor has ended, and another node's message to it is
 * refused there. A durable actor moves, and is listed by neither node or by both for a moment, as
 * one.
 */
@NullMarked
@CheckReturnValue
package io.callboard.internal.membership;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
