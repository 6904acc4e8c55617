package io.callboard.jobs.model;

import java.util.Map;

/**
 * Numbers of jobs.
 *
 * @param byState jobs by state
 * @param byType jobs by type and state
 * @param ended runs that ended since this node started
 */
public record JobCounts(
    Map<JobState, Long> byState, Map<String, Map<JobState, Long>> byType, long ended) {}
