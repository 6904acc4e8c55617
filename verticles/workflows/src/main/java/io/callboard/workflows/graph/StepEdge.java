package io.callboard.workflows.graph;

/**
 * Edge that leads to a step.
 *
 * @param from id of its source
 * @param on its condition
 */
public record StepEdge(String from, EdgeCondition on) {}
