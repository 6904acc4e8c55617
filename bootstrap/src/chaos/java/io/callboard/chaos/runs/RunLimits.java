package io.callboard.chaos.runs;

import java.util.Map;

/**
 * Limits of a storm of jobs, which stay the same while it lasts.
 *
 * @param types maximum number of runs of each type in the cell
 * @param shares maximum number of runs of each type on one host
 * @param labels maximum number of runs that have each label
 * @param host maximum number of runs on one host
 */
public record RunLimits(
    Map<String, Integer> types,
    Map<String, Integer> shares,
    Map<String, Integer> labels,
    int host) {}
