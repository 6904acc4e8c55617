/**
 * Common parts of the indexes of a cell, in which each node answers for what it owns: the index of
 * jobs and that of workflow instances. {@link io.callboard.grid.internal.index.MemberQuestions}
 * asks them all; {@link io.callboard.grid.internal.index.MemberAnswers} knows who does not answer,
 * and why; {@link io.callboard.grid.internal.index.CellRows} merges what they answer. {@link
 * io.callboard.grid.internal.index.PartitionReader} fills the index of a node. {@link
 * io.callboard.grid.internal.index.PartitionSweep} removes stored actors that have expired, {@link
 * io.callboard.grid.internal.index.OneByOne} does the work of a sweep.
 */
@NullMarked
@CheckReturnValue
package io.callboard.grid.internal.index;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
