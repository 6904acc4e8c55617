/**
 * Workflows: steps in a graph, each run by a worker, a job or another workflow, durable and
 * supervised.
 *
 * <p>A {@link io.callboard.workflows.StepHandler} is the code of a step; it gets a {@link
 * io.callboard.workflows.StepContext}. A {@link io.callboard.workflows.StartRequest} asks for an
 * instance of a definition.
 *
 * <p>At least once: a step whose node dies runs again. Its effects elsewhere should carry {@link
 * io.callboard.workflows.StepContext#key}.
 */
@NullMarked
@CheckReturnValue
package io.callboard.workflows;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
