/**
 * Workflows: steps in a graph, each run by a worker, a job or another workflow, durable and
 * supervised.
 *
 * <p>A {@link io.callboard.workflows.StepHandler} is the code of a step; it gets a {@link
 * io.callboard.workflows.StepContext}. A {@link io.callboard.workflows.StartRequest} asks for an
 * instance of a definition.
 *
 * <p>Code of the application never runs on the toolkit's threads: handlers run in the scheduling
 * zone {@code steps} or in one that they are registered with, builders ({@link
 * io.callboard.workflows.WorkflowBuilder}) in the zone {@code builders} or in one of theirs. Such a
 * zone keeps nothing waiting but what shares it.
 *
 * <p>At least once: a step whose node dies runs again. Its effects elsewhere should carry {@link
 * io.callboard.workflows.StepContext#key}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
