package io.callboard.workflows.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Steps of one definition and type that workers run or are to run.
 *
 * @param definition name of the definition
 * @param type what they run
 * @param waiting number that wait for a worker
 * @param running number that workers have
 * @param oldest how long the oldest one has waited; null if none waits
 * @param why why they wait; null if none waits
 */
public record QueueView(
    String definition,
    String type,
    int waiting,
    int running,
    @Nullable Duration oldest,
    @Nullable String why) {}
