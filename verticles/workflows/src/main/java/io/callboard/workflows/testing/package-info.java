/**
 * Test kit for handlers of steps: a run without a node, which the test controls.
 *
 * <pre>{@code
 * TestedStepOutcome outcome =
 *     TestedStep.of("resize").input(picture).output("fetch", bytes).attempt(2).run(handler);
 * assertThat(outcome.output()).contains(thumbnail);
 * }</pre>
 *
 * <p>What is decided is decided by the code of the node: what a step sees of the outputs before it,
 * what an output and a heartbeat may be, which failures are retried and when. No test library is
 * needed.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows.testing;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
