package io.callboard.workflows.internal.protocol;

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
 * @param attempts product of the attempts at the sub-workflows of this level and those above; null
 *     from an earlier version
 * @param width product of the numbers of their sub-workflows; null from an earlier version
 */
public record ParentStep(
    String instance,
    String step,
    int run,
    int depth,
    @Nullable Duration timeout,
    @Nullable Integer attempts,
    @Nullable Integer width) {}
