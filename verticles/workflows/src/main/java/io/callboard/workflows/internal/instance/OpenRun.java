package io.callboard.workflows.internal.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Open step of an instance: a run of it is requested, or its next attempt is due.
 *
 * @param step index of the step in its graph
 * @param id id of the step
 * @param run number of its last run
 * @param attempt number of its last attempt
 * @param since when it became so
 * @param dueAt when its next attempt begins; null if a run is requested
 * @param child id of the instance that runs it; null for none
 * @param undo whether it is the compensation of the step
 */
public record OpenRun(
    int step,
    String id,
    int run,
    int attempt,
    Instant since,
    @Nullable Instant dueAt,
    @Nullable String child,
    boolean undo) {}
