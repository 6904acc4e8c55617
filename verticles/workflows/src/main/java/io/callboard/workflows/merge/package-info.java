/**
 * Merges of the outputs of a step's sources into its merged input. Without I/O.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.workflows.merge.SourceMerge} knows the rule of each step and which sources
 * count: those that the step has an edge from and that succeeded; with {@code join: any} the winner
 * alone. It calls the {@link io.callboard.workflows.merge.Merger} of the rule with their outputs in
 * topological order: the lower level first, on the same level in the order of declaration.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>M1: the result depends on the outputs, never on the order in which steps ended.
 *   <li>M2: outputs are not changed; a result shares none of the objects that it changed.
 *   <li>M3: {@code disjoint} loses nothing: the result has each value of each output at its place,
 *       or there is none.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <p>An own merger that throws, or one that the node does not know, fails the step with the cause;
 * the instance goes on as after any other failure.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.merge;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
