package io.callboard.workflows.protocol;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Step of another instance that runs an instance as a sub-workflow.
 *
 * @param instance id of the parent
 * @param step id of its step
 * @param run number of the run
 * @param depth number of instances above, at least 1
 * @param timeout longest time of the run; null for none, also from an earlier version
 */
public record ParentStep(
    String instance, String step, int run, int depth, @Nullable Duration timeout) {}
