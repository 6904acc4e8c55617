/**
 * Test kit for handlers of jobs: a run without a node, which the test controls.
 *
 * <pre>{@code
 * TestedJobOutcome outcome = TestedJob.of(new Report("acme", 2026)).attempt(2).checkpoint(3).run(handler);
 * assertThat(outcome.result(Pages.class)).contains(new Pages(7));
 * }</pre>
 *
 * <p>What is decided is decided by the code of the node: how arguments are read, what a result may
 * be, which failures are retried and when, how large a checkpoint is. No test library is needed.
 */
@NullMarked
@CheckReturnValue
package io.callboard.jobs.testing;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
