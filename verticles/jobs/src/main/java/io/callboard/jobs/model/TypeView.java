package io.callboard.jobs.model;

import org.jspecify.annotations.Nullable;

/**
 * Type of jobs with its pause, if it is paused.
 *
 * @param type the type
 * @param pause who paused it; null if it is not paused, or was by a node of an older version
 */
public record TypeView(JobType type, @Nullable TypePause pause) {}
