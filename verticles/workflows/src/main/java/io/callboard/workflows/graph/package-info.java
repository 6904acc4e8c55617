/**
 * Graph of a workflow and its progress: machines without I/O. What a definition says is checked
 * here, and which step is next is decided here.
 *
 * <h2>Protocol</h2>
 *
 * <p>{@link io.callboard.workflows.graph.GraphCheck} reports all defects of a list of steps at
 * once, or makes a {@link io.callboard.workflows.graph.StepGraph} of it. {@link
 * io.callboard.workflows.graph.GraphRun} follows one instance: it is given the settlements of steps
 * and returns {@link io.callboard.workflows.graph.StepDecision}s.
 *
 * <p>A step is decided once, when the sources of all its edges are settled; with {@code join: any},
 * at its first satisfied edge. With {@code join: all} it is ready if each edge is satisfied, with
 * {@code any} if one is; otherwise it is skipped, with the reason. SKIPPED is a settlement like any
 * other and flows on. An edge sees only how its source settled in the end, so retries are inside a
 * step.
 *
 * <p>Steps in the section {@code finally} begin when all others are settled, whatever happened;
 * their edges are among themselves. {@code failFast}: a step that fails for good, not allowed to,
 * ends the run as soon as none of its {@code failure} edges leads to a step that succeeded or may
 * still: what has begun is cancelled, and of the rest only steps whose edges are all {@code any}
 * still run, once all that they follow has ended. A cancelled run starts nothing but its finally
 * steps; if that is forced, at once or later, they are cancelled like all others, and nothing
 * starts any more.
 *
 * <p>{@link io.callboard.workflows.graph.NextRound} says which steps begin anew when a run that has
 * ended goes on: always with all that were settled after them. A run that is made anew from the
 * states of the others is one like any other.
 *
 * <h2>Invariants</h2>
 *
 * <ul>
 *   <li>W1: a step is ready at most once, and settles exactly once.
 *   <li>W2: how each step settles depends on how the steps that ran ended, not on their order,
 *       unless the run was cancelled or ended by {@code failFast}. (Which edge of a {@code join:
 *       any} was first is recorded: its input depends on it.)
 *   <li>W3: when nothing runs and nothing is ready, every step is settled.
 *   <li>W4: when a step is ready, all is settled that it follows, over any path that led to it:
 *       over the edges that decided the steps before, of a {@code join: any} the first one.
 *   <li>W5: at the end of each round, steps and outcome are as the rule says, whatever the rounds
 *       before were.
 *   <li>W6: cost is linear in steps and edges over the whole run, without recursion.
 * </ul>
 *
 * <h2>Failure windows</h2>
 *
 * <p>None of its own. A run that is made anew from recorded states goes on with the same decisions:
 * {@link io.callboard.workflows.graph.GraphRun#decisions} returns those that were not recorded.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.graph;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
